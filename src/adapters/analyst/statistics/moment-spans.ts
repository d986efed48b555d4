import type { TableFacts } from '../table-facts.js';

const UNIT = String.raw`(?:days|hours|minutes|seconds)`;
const OPERAND = String.raw`(?:"[^"]{1,60}"|\p{L}[\p{L}\p{N}_]*)`;
const SPAN = new RegExp(
  String.raw`(?<verb>\b(?:determine|compute|calculate|find|derive|take|get|work out|measure|define)\s+)?\b(?:the\s+)?(?:(?<noun>time(?: elapsed| difference| span| needed)?|duration|delay|lag|difference|interval|elapsed time|turnaround(?: time)?|period)\s+)(?:\(?in\s+(?<unit>${UNIT})\)?\s+)?(?:between|from)\s+(?<from>${OPERAND})\s+(?:and|to|until|till)\s+(?<to>${OPERAND})`,
  'giu',
);
const IN_UNIT = new RegExp(String.raw`\bin\s+(?:whole\s+|full\s+)?(?<unit>${UNIT})\b`, 'iu');

/** `the time between a and b`, in the unit that the message speaks of, as `days between a and b`; after a verb of making it is a column. */
export function withSpans(message: string, facts: TableFacts): string {
  const moments = new Set(facts.columns.filter(({ role }) => role === 'time').map(({ name }) => name.toLowerCase()));
  if (moments.size < 2) return message;
  const isMoment = (said: string): boolean => moments.has(said.replace(/"/gu, '').toLowerCase());
  const usual = IN_UNIT.exec(message)?.groups?.['unit'] ?? 'days';
  let text = '';
  let at = 0;
  for (const found of message.matchAll(SPAN)) {
    const said = spanOf(found.groups ?? {}, usual, isMoment);
    text += `${message.slice(at, found.index)}${said ?? found[0]}`;
    at = found.index + found[0].length;
  }
  return `${text}${message.slice(at)}`;
}

type Groups = Readonly<Partial<Record<string, string>>>;

function spanOf(
  { verb, noun = '', unit, from = '', to = '' }: Groups,
  usual: string,
  isMoment: (said: string) => boolean,
): string | null {
  if (!isMoment(from) || !isMoment(to)) return null;
  const span = `${unit ?? usual} between ${from} and ${to}`;
  return verb === undefined ? span : `Define ${noun} as ${span}`;
}
