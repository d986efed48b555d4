import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { expect, it } from 'vitest';

/** What a message has filled in or marks up: `{0}`, `{rows, plural`, `<0>`, `</0>`. */
const placesOf = (message: string): readonly string[] => (message.match(/\{\w+(?:\}|, plural)|<\/?\d+>/g) ?? []).sort();

it('the words of the console all have their German with the same places, and none is left that nothing says: run "npm run -w web words", and write into de.po', async () => {
  const [catalog] = await getCatalogs(getConfig({ cwd: 'web' }));
  const [said, german] = [await catalog?.collect(), await catalog?.read('de')];
  if (said === undefined || german === undefined) throw new Error('there is no catalogue');
  const words = Object.entries(said).map(([id, { message = id }]) => ({
    english: message,
    german: german[id]?.translation ?? '',
  }));
  expect(words.length).toBeGreaterThan(500);
  const without = words.filter((word) => word.german === '').map(({ english }) => english);
  const unsaid = Object.entries(german).flatMap(([id, { message = id }]) => (id in said ? [] : [message]));
  expect({ without, unsaid: unsaid.filter((message) => message !== '') }).toEqual({ without: [], unsaid: [] });
  for (const word of words) {
    expect(placesOf(word.german), word.english).toEqual(placesOf(word.english));
    // A button's word is no sentence: that German belongs to another message.
    if (!word.english.endsWith('.')) expect(word.german, word.english).not.toMatch(/\.$/);
  }
}, 120_000);
