import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { beforeAll, describe, expect, it } from 'vitest';

interface Words {
  readonly id: string;
  readonly english: string;
  readonly german: string;
}

/** What a message has filled in or marks up: `{0}`, `{rows, plural`, `<0>`, `</0>`. */
function placesOf(message: string): readonly string[] {
  return (message.match(/\{\w+(?:\}|, plural)|<\/?\d+>/g) ?? []).sort();
}

describe('the words of the console', () => {
  let words: readonly Words[] = [];
  let written: readonly string[] = [];

  beforeAll(async () => {
    const [catalog] = await getCatalogs(getConfig({ cwd: 'web' }));
    const [said, german] = [await catalog?.collect(), await catalog?.read('de')];
    if (said === undefined || german === undefined) throw new Error('there is no catalogue');
    words = Object.entries(said).map(([id, { message = id }]) => ({
      ...{ id, english: message },
      german: german[id]?.translation ?? '',
    }));
    written = Object.entries(german).map(([id, { message = id }]) => (id in said ? '' : message));
  }, 120_000);

  it('are many', () => {
    expect(words.length).toBeGreaterThan(500);
  });

  it('all have their German: run "npm run -w web words", and write it into de.po', () => {
    expect(words.flatMap(({ english, german }) => (german === '' ? [english] : []))).toEqual([]);
  });

  it('leave none in the catalogue that nothing says any more: run "npm run -w web words"', () => {
    expect(written.filter((message) => message !== '')).toEqual([]);
  });

  it('have the same places in both languages', () => {
    const places = words.map(({ english, german }) => ({ english, places: placesOf(german) }));
    expect(places).toEqual(words.map(({ english }) => ({ english, places: placesOf(english) })));
  });
});
