import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { TableBriefing } from '../../ports/chat-model.js';
import type { TableProfile } from '../../ports/table.js';
import { factsOf, type TableFacts } from './table-facts.js';
import type { ColumnFacts } from './column-facts.js';
import { understand } from './understand.js';

const MAX_GROUPS = 60;
const MAX_NAME = 60;
/** Of several figures that add up, people ask for these first. */
const MAIN = /^(revenue|sales|turnover|profit|total|amount)$/;

interface Template {
  readonly columns: readonly ColumnFacts[];
  readonly text: (...names: readonly string[]) => string;
}

/** Questions that the analyst can answer on this table, most telling first. Each has been read and understood in full. */
export function suggestQuestions(profile: TableProfile, wanted: number): readonly string[] {
  const known = cache.get(profile);
  if (known !== undefined) return known.slice(0, wanted);
  const found = verifiedQuestions(profile);
  cache.set(profile, found);
  return found.slice(0, wanted);
}

const MOST = 12;
const cache = new WeakMap<TableProfile, readonly string[]>();

function verifiedQuestions(profile: TableProfile): readonly string[] {
  const table: TableBriefing = { name: '', context: '', profile };
  const now = new Date(profile.timeRange?.to ?? 0);
  const found: string[] = [];
  for (const template of templatesFor(factsOf(table))) {
    if (found.length >= MOST) break;
    const question = wordings(template).find((text) => isUnderstood(text, template, table, now));
    if (question !== undefined && !found.includes(question)) found.push(question);
  }
  return found;
}

/** Names as they stand, and quoted where they would be read as something else. */
function wordings({ columns, text }: Template): readonly string[] {
  if (columns.some(({ name }) => name.length > MAX_NAME || /[\p{Cc}"“”]/u.test(name))) return [];
  return [text(...columns.map(({ name }) => name)), text(...columns.map(({ name }) => `"${name}"`))];
}

function isUnderstood(question: string, { columns }: Template, table: TableBriefing, now: Date): boolean {
  const read = understand(question, table, [], now);
  return read.kind === 'plan' && read.confidence === 1 && columns.every(({ name }) => speaksOf(read.plan, name));
}

function speaksOf(plan: AnalysisPlan, column: string): boolean {
  const parts =
    plan.kind === 'rows'
      ? plan.order.map(({ by }) => by)
      : [...plan.measures, ...plan.dimensions].map((part) => part.column);
  return parts.includes(column) || plan.filters.some((filter) => filter.column === column);
}

function templatesFor(facts: TableFacts): readonly Template[] {
  const { figures, categories } = cast(facts);
  const [figure, second = figure] = figures;
  const [category, other = category] = categories;
  const templates: Template[] = [];
  if (figure !== undefined && second !== undefined) templates.push(...figureTemplates(facts, figure, second, category));
  if (category !== undefined && other !== undefined) templates.push(...categoryTemplates(category, other, figure));
  if (second !== undefined) templates.push(...plainTemplates(second));
  return [...templates, { columns: [], text: () => 'How many rows are there?' }];
}

interface Cast {
  readonly figures: readonly ColumnFacts[];
  readonly categories: readonly ColumnFacts[];
}

/** Who plays: measures before other numbers, what sums up before the rest; groups that fit into a picture. */
function cast({ columns, profile, meta }: TableFacts): Cast {
  const figures = columns.filter(
    ({ role, identifies, words }) => role === 'figure' && !identifies && words.at(-1) !== 'id',
  );
  const measures = figures.filter(({ name }) => profile.values.includes(name));
  const known = measures.length > 0 ? measures : figures;
  const rank = ({ additive, words }: ColumnFacts): number =>
    additive ? (words.some((word) => MAIN.test(word)) ? 0 : 1) : 2;
  const groups = columns.filter(
    ({ role, profile: { distinct } }) => role === 'category' && distinct > 1 && distinct <= MAX_GROUPS,
  );
  return {
    figures: known.toSorted((a, b) => rank(a) - rank(b)),
    categories: [...groups.filter((one) => one === meta), ...groups.filter((one) => one !== meta)],
  };
}

function figureTemplates(
  { time, profile }: TableFacts,
  figure: ColumnFacts,
  second: ColumnFacts,
  category: ColumnFacts | undefined,
): readonly Template[] {
  const amount = figure.additive ? 'total' : 'average';
  const grouped: readonly Template[] =
    category === undefined
      ? []
      : [{ columns: [figure, category], text: (y, x) => `What is the ${amount} ${y} by ${x}?` }];
  const long =
    profile.timeRange !== null &&
    Date.parse(profile.timeRange.to) - Date.parse(profile.timeRange.from) > 90 * 86_400_000;
  const timed: readonly Template[] =
    time === null
      ? []
      : [
          { columns: [figure], text: (y) => `How has the ${y} developed over time?` },
          { columns: [second], text: (y) => `When was the ${y} highest?` },
          {
            columns: [second],
            text: (y) => `What is the average ${y} ${long ? 'by month of the year' : 'by hour of the day'}?`,
          },
        ];
  return [...grouped, ...timed];
}

function categoryTemplates(
  category: ColumnFacts,
  other: ColumnFacts,
  figure: ColumnFacts | undefined,
): readonly Template[] {
  const [one, two] = category.profile.topValues;
  const compared: readonly Template[] =
    figure === undefined || one === undefined || two === undefined
      ? []
      : [{ columns: [figure], text: (y) => `Compare "${one.value}" and "${two.value}" by average ${y}` }];
  return [
    { columns: [other], text: (x) => `How many rows are there per ${x}?` },
    ...compared,
    { columns: [category], text: (x) => `What is the most common ${x}?` },
    { columns: [other], text: (x) => `How many different ${x} values are there?` },
  ];
}

function plainTemplates(figure: ColumnFacts): readonly Template[] {
  return [
    { columns: [figure], text: (y) => `What is the median ${y}?` },
    { columns: [figure], text: (y) => `What are the minimum and maximum ${y}?` },
    { columns: [figure], text: (y) => `What is the standard deviation of ${y}?` },
  ];
}
