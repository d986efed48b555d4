import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { ColumnFacts } from './column-facts.js';
import { capital } from './number-words.js';
import type { TableFacts } from './table-facts.js';

const MAX_GROUPS = 60;
const FEW_GROUPS = 6;
/** Of several figures that add up, people ask for these first. */
const MAIN = /^(revenue|sales|turnover|profit|total|amount)$/;
const SEASON_MS = 90 * 86_400_000;

/** A question about some columns: how it may be worded, best first, and what its plan must be so that it was read as it is meant. */
export interface Template {
  readonly columns: readonly ColumnFacts[];
  readonly texts: readonly ((...names: readonly string[]) => string)[];
  readonly means?: (plan: AnalysisPlan) => boolean;
}

/** Who plays: measures before other numbers, what sums up before the rest; groups that fit into a picture. */
interface Cast {
  readonly figures: readonly ColumnFacts[];
  readonly categories: readonly ColumnFacts[];
}

/** Questions that suit the table, most telling first, and as different from each other as they come. */
export function templatesFor(facts: TableFacts): readonly Template[] {
  const { figures, categories } = castOf(facts);
  const [figure, second = figure] = figures;
  const [category, other = category] = categories;
  const isTimed = facts.time !== null;
  return [
    ...both(figure, category, (y, x) => [byGroup(y, x)]),
    ...both(isTimed ? figure : undefined, figure, (y) => [trend(y)]),
    ...correlation(figures),
    ...both(second, category, comparison),
    ...both(figure, other, share),
    ...both(second, second, (y) => [distribution(y)]),
    ...both(isTimed ? second : undefined, second, (y) => momentTemplates(y, facts)),
    ...both(category, other, categoryTemplates),
    ...both(second, second, plainTemplates),
    { columns: [], texts: [() => 'How many rows are there?'] },
  ];
}

/** Only where the table has both. */
function both(
  one: ColumnFacts | undefined,
  other: ColumnFacts | undefined,
  write: (one: ColumnFacts, other: ColumnFacts) => readonly Template[],
): readonly Template[] {
  return one === undefined || other === undefined ? [] : write(one, other);
}

function castOf({ columns, profile, meta }: TableFacts): Cast {
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

function amountOf({ additive }: ColumnFacts): string {
  return additive ? 'total' : 'average';
}

/** Of many groups the top ones, of a few all of them. */
function byGroup(figure: ColumnFacts, category: ColumnFacts): Template {
  const amount = amountOf(figure);
  const whole = (y = '', x = ''): string => `${capital(amount)} ${y} by ${x}`;
  const top = (y = '', x = ''): string => `Top 5 ${plural(x)} by ${amount} ${y}`;
  return {
    columns: [figure, category],
    texts: category.profile.distinct <= FEW_GROUPS ? [whole] : [top, whole],
    means: (plan) => plan.kind === 'aggregate' && plan.dimensions.length === 1,
  };
}

function trend(figure: ColumnFacts): Template {
  return {
    columns: [figure],
    texts: [
      (y = '') => `How ${isPlural(y) ? 'have' : 'has'} the ${y} developed over time?`,
      (y = '') => `${y} over time`,
    ],
    means: (plan) => plan.kind === 'aggregate' && plan.dimensions.some(({ kind }) => kind === 'bucket'),
  };
}

/** The first two figures that take more than a few values. */
function correlation(figures: readonly ColumnFacts[]): readonly Template[] {
  const [one, two] = figures.filter(({ profile }) => profile.distinct > FEW_GROUPS);
  if (one === undefined || two === undefined) return [];
  return [
    {
      columns: [one, two],
      texts: [
        (x = '', y = '') => `Is there a correlation between ${x} and ${y}?`,
        (x = '', y = '') => `What is the correlation between ${x} and ${y}?`,
      ],
      means: isCorrelation,
    },
  ];
}

function isCorrelation(plan: AnalysisPlan): boolean {
  if (plan.kind === 'statistic') return plan.method === 'pearson' || plan.method === 'spearman';
  return plan.kind === 'aggregate' && plan.measures.some(({ aggregate }) => aggregate === 'correlation');
}

function comparison(figure: ColumnFacts, category: ColumnFacts): readonly Template[] {
  const [one, two] = category.profile.topValues;
  if (one === undefined || two === undefined) return [];
  return [
    {
      columns: [figure],
      texts: [(y = '') => `Compare "${one.value}" and "${two.value}" by average ${y}`],
      means: (plan) => JSON.stringify(plan).includes(JSON.stringify(two.value)),
    },
  ];
}

/** What each part has of what adds up, or else of the rows. */
function share(figure: ColumnFacts, category: ColumnFacts): readonly Template[] {
  const means = (plan: AnalysisPlan): boolean =>
    plan.kind === 'aggregate' && (plan.computed ?? []).some(({ kind }) => kind === 'share' || kind === 'percent');
  const ofFigure: Template = {
    columns: [figure, category],
    texts: [
      (y = '', x = '') => `What is the share of total ${y} by ${x}?`,
      (y = '', x = '') => `What percentage of ${y} does each ${x} have?`,
    ],
    means,
  };
  const ofRows: Template = {
    columns: [category],
    texts: [
      (x = '') => `What is the share of rows by ${x}?`,
      (x = '') => `What percentage of rows does each ${x} have?`,
    ],
    means,
  };
  return figure.additive ? [ofFigure] : [ofRows];
}

function distribution(figure: ColumnFacts): Template {
  return {
    columns: [figure],
    texts: [(y = '') => `What is the distribution of ${y}?`, (y = '') => `Show the distribution of ${y}`],
  };
}

function momentTemplates(figure: ColumnFacts, { profile }: TableFacts): readonly Template[] {
  const { timeRange } = profile;
  const isLong = timeRange !== null && Date.parse(timeRange.to) - Date.parse(timeRange.from) > SEASON_MS;
  return [
    { columns: [figure], texts: [(y = '') => `When ${isPlural(y) ? 'were' : 'was'} the ${y} highest?`] },
    {
      columns: [figure],
      texts: [(y = '') => `Average ${y} by ${isLong ? 'month of the year' : 'hour of the day'}`],
    },
  ];
}

function categoryTemplates(category: ColumnFacts, other: ColumnFacts): readonly Template[] {
  return [
    { columns: [other], texts: [(x = '') => `How many rows are there per ${x}?`] },
    { columns: [category], texts: [(x = '') => `What is the most common ${x}?`] },
    { columns: [other], texts: [(x = '') => `How many different ${x} values are there?`] },
  ];
}

function plainTemplates(figure: ColumnFacts): readonly Template[] {
  return [
    { columns: [figure], texts: [(y = '') => `What is the median ${y}?`] },
    { columns: [figure], texts: [(y = '') => `What are the minimum and maximum ${y}?`] },
    { columns: [figure], texts: [(y = '') => `What is the standard deviation of ${y}?`] },
  ];
}

/** `errors`, but not `gas` or `process`: nearly always right, and never wrong enough to be misread. */
function isPlural(name: string): boolean {
  return /[^aeiousi]s$/.test(name) || /(?:es|ies)$/.test(name);
}

/** Of a name in one or more words; a quoted one stays as it is. */
function plural(name: string): string {
  if (!/[a-z]$/.test(name)) return name;
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:[sxz]|ch|sh)$/.test(name) ? (name.endsWith('s') ? name : `${name}es`) : `${name}s`;
}
