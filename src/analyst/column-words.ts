import type { TableBriefing } from '../ports/chat-model.js';
import type { ColumnProfile } from '../ports/table.js';
import { momentWords } from '../plan/time-words.js';
import { inline } from '../shared/markdown.js';
import { counted, joined, numberWords } from '../shared/number-words.js';
import { fold } from './reading/words.js';

const MEANS =
  /^\W*(?:please )?(?:what(?: does|['’]s| is(?: in)?| are)?|explain|meaning of|describe)(?: the)?(?: (?:meaning|definition) of)?(?: the)?(?: (column|field))? ["“”'‘’`]?(.+?)["“”'‘’`]?(?: (column|field))?(?: (mean|means|stand for|stands for|about|contain|hold))?(?: (?:here|exactly|in this (?:table|file)))?\W*$/iu;
const NAMED_VALUES = 5;

/** What is known of a column whose meaning a message asks for; null: it asks for something else. */
export function columnWords(message: string, table: TableBriefing): string | null {
  const [, before, name = '', after, verb] = MEANS.exec(message) ?? [];
  if (before === undefined && after === undefined && verb === undefined) return null;
  const column = table.profile.columns.find((one) => isCalled(one.name, name));
  if (column === undefined) return null;
  const known = table.semantics?.columns.find((one) => one.name === column.name);
  const description = known?.description ?? '';
  const meaning =
    description === ''
      ? `Nobody has written down what **${inline(column.name)}** means.`
      : `**${inline(column.name)}**: ${inline(description, 600)}`;
  return `${meaning} ${valuesOf(column)}`;
}

/** Without regard to signs and what stands in brackets: `Fee (USD)` is called fee. */
function isCalled(column: string, name: string): boolean {
  const plain = (text: string): string =>
    fold(text)
      .replace(/[^\p{L}\d]+/gu, ' ')
      .trim();
  return [column, column.replace(/[([].*$/, '')].some((one) => plain(one) !== '' && plain(one) === plain(name));
}

function valuesOf({ type, min, max, mean, distinct, nulls, topValues }: ColumnProfile): string {
  const gaps = nulls === 0 ? '' : `, and ${counted(nulls, 'row')} without one`;
  const [low, high] = [min, max].map((value) =>
    typeof value === 'number' ? numberWords(value) : type === 'time' ? momentWords(String(value), null) : String(value),
  );
  if (min === null) return 'It is empty.';
  if (type === 'time') return `It holds times from ${low ?? ''} to ${high ?? ''}${gaps}.`;
  if (mean !== null)
    return `It holds numbers from ${low ?? ''} to ${high ?? ''}, ${numberWords(mean)} on average${gaps}.`;
  const most = topValues
    .slice(0, NAMED_VALUES)
    .map(({ value, count }) => `${inline(value, 60)} (${numberWords(count)})`);
  const often = most.length === distinct ? ':' : ', most often';
  return `It holds ${counted(distinct, 'different value')}${most.length === 0 ? '' : `${often} ${joined(most)}`}${gaps}.`;
}
