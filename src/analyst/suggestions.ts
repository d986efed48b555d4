import type { TableProfile } from '../ports/table.js';
import { capital } from '../shared/number-words.js';
import { isFigure, roleOf } from '../plan/column-roles.js';
import { factsOf, type ColumnFacts, type TableFacts } from './reading/table.js';
import { keptIn } from './reading/words.js';
import { DAY_MS } from '../shared/durations.js';

/** Whether a question is understood in full, about these columns. */
export type Proof = (question: string, columns: readonly string[]) => boolean;

const MOST = 12;
const MAX_NAME = 60;
const MAX_VALUE = 30;
const MAX_GROUPS = 60;
const FEW_GROUPS = 6;
/** What would end a question or be read as something else. */
const UNSPEAKABLE = /[\p{Cc}"“”?|]/u;

/** Concepts of what adds up, those first that people ask for first. */
const AMOUNTS =
  'revenue profit amount cost quantity payment donation donor budget invoice fee tax discount refund salesorder order visitor passenger guest clicks views impressions sessions conversions production consumption energy water waste goals points assists deaths rain snow attendance sold copies shipment calories'.split(
    ' ',
  );
/** Proving takes as long as reading a dozen questions. */
const known = new WeakMap<TableFacts, readonly string[]>();

/** At most `wanted` questions that suit the table, most telling first and of different kinds, each of which has been proven. */
export function suggestQuestions(profile: TableProfile, wanted: number, isProven: Proof): readonly string[] {
  const facts = factsOf({ name: '', context: '', profile });
  return keptIn(known, facts, () => provenQuestions(facts, isProven)).slice(0, wanted);
}

function provenQuestions(facts: TableFacts, isProven: Proof): readonly string[] {
  const found = new Set<string>();
  for (const { columns, texts } of templatesFor(facts)) {
    if (found.size >= MOST) break;
    const text = texts.find((one) => isProven(one, columns));
    if (text !== undefined) found.add(text);
  }
  return [...found];
}

/** A question about some columns, in words of which the first that are understood are taken. */
interface Template {
  readonly columns: readonly string[];
  readonly texts: readonly string[];
}

function template(
  columns: readonly (ColumnFacts | undefined)[],
  write: (...names: string[]) => readonly string[],
): Template {
  const known = columns.filter((column) => column !== undefined);
  const names = known.map(({ name }) => name);
  const isComplete = known.length === columns.length && new Set(names).size === names.length;
  return { columns: names, texts: isComplete ? write(...names) : [] };
}

function templatesFor(facts: TableFacts): readonly Template[] {
  const figures = figuresOf(facts);
  const [category, second] = categoriesOf(facts);
  const [figure, another = figure] = figures;
  const other = second ?? category;
  const [most, amount] = [amountWord(figure, facts), amountWord(another, facts)];
  const unit = unitOf(facts);
  return [
    template([figure, category], (y = '', x = '') => {
      const isMany = (category?.profile.distinct ?? 0) > FEW_GROUPS;
      return [...(isMany ? [`Top 5 ${x} by ${most} ${y}`] : []), `${capital(most)} ${y} by ${x}`];
    }),
    template([figure], (y = '') =>
      unit === null ? [] : [`${capital(most)} ${y} per ${unit}`, `${capital(most)} ${y} by ${unit}`],
    ),
    template([figure, other], (y = '', x = '') => (most === 'total' ? [`Share of ${y} by ${x}`] : [])),
    template([other], (x = '') => [`How many rows per ${x}?`, `Number of rows by ${x}`]),
    comparison(category, another),
    template([another], (y = '') => [`Highest ${y}`, `What is the highest ${y}?`]),
    template(figures.slice(0, 2).length < 2 ? [undefined] : figures.slice(0, 2), (y = '', x = '') => [
      `Correlation of ${y} and ${x}`,
      `Correlation between ${y} and ${x}`,
    ]),
    template([another], (y = '') => [`Distribution of ${y}`]),
    template([category], (x = '') => [`Most common ${x}`, `What is the most common ${x}?`]),
    template([another, other], (y = '', x = '') => [`${capital(amount)} ${y} by ${x}`]),
    template([figure], (y = '') => [`Median ${y}`]),
    template([other], (x = '') => [`How many different ${x} values?`, `How many different ${x} values are there?`]),
    { columns: [], texts: unit === null ? [] : [`How many rows per ${unit}?`, `Number of rows by ${unit}`] },
    template([figure], (y = '') => [`Average ${y}`, `Total ${y}`]),
    template([another], (y = '') => [`Lowest ${y}`, `What is the lowest ${y}?`]),
    { columns: [], texts: ['How many rows are there?'] },
  ];
}

/** Over so many days people look at years, months, days or hours; `null` without a time. */
function unitOf({ time, profile: { timeRange } }: TableFacts): string | null {
  if (time === null || timeRange === null) return null;
  const days = (Date.parse(timeRange.to) - Date.parse(timeRange.from)) / DAY_MS;
  return days > 6 * 365 ? 'year' : days > 62 ? 'month' : days > 2 ? 'day' : 'hour';
}

/** The two most frequent values against each other. */
function comparison(category: ColumnFacts | undefined, figure: ColumnFacts | undefined): Template {
  const values = (category?.profile.topValues ?? []).slice(0, 2).map(({ value }) => value);
  const isSpeakable = values.every((value) => value.length <= MAX_VALUE && /^[\p{L}\d][\p{L}\d .-]*$/u.test(value));
  const [one = '', two = ''] = values;
  return template([category, figure], (_, y = '') =>
    two === '' || !isSpeakable ? [] : [`Average ${y} ${one} vs ${two}`, `Compare average ${y} of ${one} and ${two}`],
  );
}

function amountWord(column: ColumnFacts | undefined, facts: TableFacts): 'total' | 'average' {
  return column !== undefined && addsUp(column, facts) ? 'total' : 'average';
}

function addsUp({ profile }: ColumnFacts, facts: TableFacts): boolean {
  return roleOf(profile, facts.profile) === 'sum';
}

/** What adds up before the rest, what people ask for most first; measures before other numbers. */
function figuresOf(facts: TableFacts): readonly ColumnFacts[] {
  const { columns, profile } = facts;
  const figures = columns.filter(
    ({ isNumber, kind, name, profile: column }) =>
      isNumber && kind === 'number' && column.distinct > 1 && isFigure(roleOf(column, profile)) && isSpeakable(name),
  );
  const rank = (column: ColumnFacts): number => {
    const place = AMOUNTS.indexOf(column.concept);
    return addsUp(column, facts) ? (place < 0 ? AMOUNTS.length : place) : AMOUNTS.length + 1;
  };
  const measures = figures.filter(({ name }) => profile.values.includes(name));
  return (measures.length > 0 ? measures : figures).toSorted((a, b) => rank(a) - rank(b));
}

/** Groups that fit into a picture; the metadata field first. */
function categoriesOf({ columns, meta }: TableFacts): readonly ColumnFacts[] {
  const groups = columns.filter(
    ({ kind, name, profile: { distinct } }) =>
      kind === 'category' && distinct > 1 && distinct <= MAX_GROUPS && isSpeakable(name),
  );
  return groups.toSorted((a, b) => Number(b === meta) - Number(a === meta));
}

function isSpeakable(name: string): boolean {
  return name.length <= MAX_NAME && !UNSPEAKABLE.test(name);
}
