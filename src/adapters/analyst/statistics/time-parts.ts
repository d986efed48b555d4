import type { MomentPart } from '../../../ports/plan-expression.js';
import type { ColumnFacts } from '../column-facts.js';
import type { Clause } from './clause.js';
import type { Defined } from './defined.js';
import type { Script } from './script.js';

const START = String.raw`^(?:(?:please|then|first|next|now|also|and|from (?:the )?[^,]{2,40},)\s*,?\s*)*`;
const MAKES = new RegExp(`${START}(?:extract|derive|add|create|get|make|compute|obtain|take|generate|parse)\\b`, 'iu');
const PART =
  /\b(?<part>day of (?:the )?week|days? of (?:the )?week|weekday|hour|month|year|quarter|minute|week|day)(?: (?:number|name|of (?:the )?(?:day|year|month)))?\b/iu;
const NAMED = /(?:called|named)\s+["“'`]?(?<name>[\p{L}_][\p{L}\d_]{1,30})/iu;
const QUOTED = /["“](?<name>[\p{L}_][\p{L}\d_ ]{1,30})["”]/gu;

/** `extract the hour from started_at`, `add a column "month" from the date`: a part of a time as a column of groups. */
export function partDefinition(text: string, script: Script): Defined | null {
  const said = MAKES.test(text) ? PART.exec(text)?.groups?.['part'] : undefined;
  if (said === undefined) return null;
  const clause = script.clauseOf(text);
  const column = asksMore(clause) ? null : timeIn(clause.columns, script);
  if (column === null) return null;
  const part = partOf(said);
  const made = script.make(nameIn(text, script) ?? part, { kind: 'part', column: column.name, part });
  return { kind: 'made', columns: [made] };
}

function asksMore(clause: Clause): boolean {
  if (clause.has('figure', 'outliers', 'relation', 'regression', 'test', 'share', 'arithmetic', 'fill')) return true;
  return clause.columns.some(({ role }) => role === 'figure') || /\b(?:which|what|how)\b/iu.test(clause.text);
}

/** The only column of times that is named, else the rows' own. */
function timeIn(columns: readonly ColumnFacts[], { facts }: Script): ColumnFacts | null {
  const [named, another] = [...new Set(columns.filter(({ role }) => role === 'time'))];
  if (another !== undefined) return null;
  return named ?? facts.time;
}

function partOf(said: string): MomentPart {
  const word = said.toLowerCase();
  if (/week(?:day)?$/u.test(word) && word !== 'week') return 'weekday';
  const known: readonly MomentPart[] = ['hour', 'month', 'year', 'quarter', 'minute', 'week', 'day'];
  return known.find((part) => part === word) ?? 'weekday';
}

/** What the column is to be called, where that is no column of the table. */
function nameIn(text: string, { facts }: Script): string | null {
  const names = new Set(facts.columns.map(({ name }) => name.toLowerCase()));
  const written = [
    NAMED.exec(text)?.groups?.['name'],
    ...[...text.matchAll(QUOTED)].map(({ groups }) => groups?.['name']),
  ];
  return written.find((name) => name !== undefined && !names.has(name.toLowerCase())) ?? null;
}

const BOTH = /\bweekdays?\b.*\bweekends?\b|\bweekends?\b.*\bweekdays?\b/iu;
const DAYS = String.raw`(?:\s*\((?:mon\w*|sat\w*)[^()]*\))?`;
const SIDES = new RegExp(
  String.raw`,?\s*(?:\b(?:compare|between|on|for|during|at|in|of)\s+)?(?:the\s+)?\b(?:weekdays?|weekends?)\b${DAYS}\s*(?:days?\s+)?(?:,|with|and|versus|vs\.?|or|to|against|than|compared (?:to|with))\s+(?:on\s+|for\s+|at\s+|in\s+|during\s+|of\s+)?(?:the\s+)?(?:weekdays?|weekends?)\b${DAYS}(?:\s+days?)?\s*:?`,
  'iu',
);
const OF_BOTH = /\s*\b(?:in|for|of|on) (?:each|both)(?: of (?:the|these) (?:two|groups))?(?=\s*[?.,]|$)/giu;
const SATURDAY = 6;

/** `compare weekdays with weekends: what is the mean a?` asks for the mean of each kind of day. */
export function withDayTypes(text: string, script: Script): string {
  const { time } = script.facts;
  if (time === null || !BOTH.test(text) || !SIDES.test(text)) return text;
  const rest = text.replace(SIDES, ' ').replace(OF_BOTH, '').trim();
  const weekday = script.make(`weekday of ${time.name}`, { kind: 'part', column: time.name, part: 'weekday' });
  const isWeekend = { kind: 'compare', column: weekday.name, operator: '>=', value: SATURDAY } as const;
  const made = script.make(
    'day type',
    { kind: 'case', cases: [{ filters: [isWeekend], value: 'weekend' }], otherwise: 'weekday' },
    ['weekend', 'weekday'],
  );
  return `${rest.replace(/[?.:\s]+$/u, '')} for each ${made.name}?`;
}
