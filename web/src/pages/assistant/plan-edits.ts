import type { ColumnSummary, Wire } from '../../shared/wire.js';
import { LOCALE } from '../../shared/language.js';
import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';

type Understood = Wire['UnderstoodView'];
type Part = Understood['parts'][number];
export type ChartKind = NonNullable<Understood['chart']>;

/** What is asked again: a plan, and how it is drawn where that was chosen. */
export interface Again {
  readonly plan: Record<string, unknown>;
  readonly chart?: ChartKind;
}

export interface Choice {
  readonly name: string;
  readonly again: Again;
}

/** Choices under one heading. */
export interface Choices {
  readonly heading: string;
  readonly choices: readonly Choice[];
}

interface Measure {
  readonly aggregate: string;
  readonly column: string | null;
  readonly label: string;
  readonly second?: string;
  readonly filters?: readonly unknown[];
}

interface Dimension {
  readonly kind: 'column' | 'bucket' | 'part';
  readonly column: string;
  readonly label: string;
  readonly bucket?: string;
}

interface Condition {
  readonly kind: string;
  readonly column?: string;
  readonly values?: readonly unknown[];
  readonly negated?: boolean;
}

/** Of a plan, what is changed here. */
interface Plan extends Record<string, unknown> {
  readonly kind: string;
  readonly measures?: readonly Measure[];
  readonly dimensions?: readonly Dimension[];
  readonly computed?: readonly unknown[];
  readonly filters: readonly Condition[];
  readonly having?: readonly unknown[];
  readonly order?: readonly { readonly by: string }[] | undefined;
  readonly each?: readonly string[] | undefined;
  /** Of a statistic, the column of its groups. */
  readonly by?: string | null;
}

const planOf = ({ plan }: Understood): Plan => plan as Plan;

/** The plan without a part; null where it would be none without it. */
export function without(part: Part, understood: Understood): Again | null {
  const plan = planOf(understood);
  const place = placeOf(part);
  switch (part.kind) {
    case 'condition':
    case 'period':
      return part.at.startsWith('having')
        ? { plan: { ...plan, having: plan.having?.toSpliced(place, 1) } }
        : { plan: { ...plan, filters: plan.filters.toSpliced(place, 1) } };
    case 'order':
      return { plan: { ...plan, ...UNORDERED } };
    case 'group':
      return withoutGroup(plan, place);
    case 'figure':
    case 'join':
    case 'chart':
      return null;
  }
}

const UNORDERED = { order: [], limit: null, skip: undefined, each: undefined };

function withoutGroup(plan: Plan, place: number): Again | null {
  const { dimensions = [], measures = [], order = [], each = [] } = plan;
  const gone = dimensions[place];
  if (gone === undefined || (measures.length === 0 && dimensions.length === 1)) return null;
  const rest = { ...plan, dimensions: dimensions.toSpliced(place, 1) };
  if (dimensions.length === 1) {
    return { plan: { ...rest, ...UNORDERED, computed: undefined, having: [], summary: undefined } };
  }
  const kept = order.filter(({ by }) => by !== gone.label);
  if (kept.length < order.length) return { plan: { ...rest, ...UNORDERED, order: kept } };
  const within = each.filter((label) => label !== gone.label);
  return { plan: { ...rest, each: within.length === 0 ? undefined : within } };
}

/** What a part can be changed into. */
export function choicesFor(part: Part, understood: Understood, columns: readonly ColumnSummary[]): readonly Choices[] {
  const all = choicesOf(part, understood, columns);
  return all.filter(({ choices }) => choices.length > 0);
}

function choicesOf(part: Part, understood: Understood, columns: readonly ColumnSummary[]): readonly Choices[] {
  const plan = planOf(understood);
  switch (part.kind) {
    case 'figure':
      return figureChoices(plan, part, columns);
    case 'join':
      return [];
    case 'group':
      return groupChoices(plan, part, columns);
    case 'period':
      return periodChoices(plan, placeOf(part), columns);
    case 'condition':
      return valueChoices(plan, part, columns);
    case 'chart':
      return chartChoices(plan, understood.chart, columns);
    case 'order':
      return [];
  }
}

/** The word that the plan has, which the analyst repeats; and what the menu says of it alone, and before a column. */
const AGGREGATES = {
  sum: ['total', msg`Total`, msg`Total of`],
  avg: ['average', msg`Average`, msg`Average of`],
  median: ['median', msg`Median`, msg`Median of`],
  min: ['lowest', msg`Lowest`, msg`Lowest of`],
  max: ['highest', msg`Highest`, msg`Highest of`],
} as const;

/** Of figures that others follow from, the names would not fit any more. */
function figureChoices(plan: Plan, part: Part, columns: readonly ColumnSummary[]): readonly Choices[] {
  const place = placeOf(part);
  const measure = part.at.startsWith('measures.') ? plan.measures?.[place] : undefined;
  if (measure === undefined || measure.second !== undefined || plan.computed !== undefined) return [];
  const numbers = columns.filter(({ type }) => type === 'number' || type === 'integer').map(({ name }) => name);
  const { column } = measure;
  const kept = isAggregate(measure.aggregate) ? measure.aggregate : 'sum';
  const choice = (shown: string, aggregate: string, of: string | null, words: string): Choice => ({
    name: shown,
    again: { plan: withFigure(plan, place, { ...measure, parameter: undefined, aggregate, column: of, label: words }) },
  });
  const ofColumn =
    column === null || !numbers.includes(column)
      ? []
      : Object.entries(AGGREGATES)
          .filter(([one]) => one !== measure.aggregate)
          .map(([one, [label, name]]) => choice(i18n._(name), one, column, `${label} ${column}`));
  // oxlint-disable-next-line lingui/no-unlocalized-strings -- the plan's words are the analyst's
  const rows = column === null ? [] : [choice(t`Number of rows`, 'count', null, 'number of rows')];
  return [
    { heading: t`Figure`, choices: [...ofColumn, ...rows] },
    {
      heading: i18n._(AGGREGATES[kept][2]),
      choices: columns
        .filter((one) => numbers.includes(one.name) && one.name !== column)
        .map((one) => {
          const aggregate = usualAggregate(kept, one);
          const [word, name] = AGGREGATES[aggregate];
          const shown = aggregate === kept ? one.name : `${one.name} (${i18n._(name)})`;
          return choice(shown, aggregate, one.name, `${word} ${one.name}`);
        }),
    },
  ];
}

function isAggregate(name: string): name is keyof typeof AGGREGATES {
  return name in AGGREGATES;
}

/** A total or an average becomes the one that suits the column. */
function usualAggregate(kept: keyof typeof AGGREGATES, { role }: ColumnSummary): keyof typeof AGGREGATES {
  const isOpen = kept === 'sum' || kept === 'avg';
  if (!isOpen || (role !== 'sum' && role !== 'average')) return kept;
  return role === 'sum' ? 'sum' : 'avg';
}

type Changed<T> = T & Record<string, unknown>;

function withFigure(plan: Plan, place: number, figure: Changed<Measure>): Plan {
  const { measures = [] } = plan;
  const label = freeLabel(figure.label, plan, measures[place]?.label);
  return relabelled({ ...plan, measures: measures.with(place, { ...figure, label }) }, measures[place]?.label, label);
}

const STEPS = {
  hour: msg`hour`,
  day: msg`day`,
  week: msg`week`,
  month: msg`month`,
  quarter: msg`quarter`,
  year: msg`year`,
} as const;
/** More groups than these are no picture, and no table to read. */
const MOST_GROUPS = 1000;

function groupChoices(plan: Plan, part: Part, columns: readonly ColumnSummary[]): readonly Choices[] {
  const groups = columns
    .filter(({ type, distinct_count: count }) => (type === 'text' || type === 'boolean') && count <= MOST_GROUPS)
    .map(({ name }) => name);
  if (part.at === 'by') {
    const others = groups.filter((name) => name !== plan.by);
    return [{ heading: t`Groups`, choices: others.map((name) => ({ name, again: { plan: { ...plan, by: name } } })) }];
  }
  const { dimensions = [] } = plan;
  const place = placeOf(part);
  const now = dimensions[place];
  if (now === undefined) return [];
  const choice = (name: string, dimension: Changed<Dimension>): Choice => ({
    name,
    again: { plan: withGroup(plan, place, dimension) },
  });
  const steps = Object.entries(STEPS);
  const step =
    (column: string) =>
    ([bucket, name]: (typeof steps)[number]) =>
      choice(i18n._(name), { kind: 'bucket', column, bucket, label: bucket });
  const others = groups.filter((name) => dimensions.every(({ column }) => column !== name));
  const times = columns.filter(({ type }) => type === 'time').map(({ name }) => name);
  const within = now.kind === 'column' ? [] : steps.filter(([bucket]) => bucket !== now.bucket).map(step(now.column));
  const over = now.kind === 'column' ? times.flatMap((time) => steps.slice(1).map(step(time))) : [];
  return [
    { heading: t`Time step`, choices: [...within, ...over] },
    {
      heading: t`Column`,
      choices: others.map((name) => choice(name, { kind: 'column', column: name, label: name.slice(0, 80) })),
    },
  ];
}

function withGroup(plan: Plan, place: number, dimension: Changed<Dimension>): Plan {
  const { dimensions = [] } = plan;
  const was = dimensions[place]?.label;
  const label = freeLabel(dimension.label, plan, was);
  return relabelled({ ...plan, dimensions: dimensions.with(place, { ...dimension, label }) }, was, label);
}

/** Labels are at most 80 characters, and differ in more than capitals. */
function freeLabel(words: string, { measures = [], dimensions = [] }: Plan, own: string | undefined): string {
  const others = [...measures, ...dimensions].map(({ label }) => label).filter((label) => label !== own);
  const taken = new Set(others.map((label) => label.toLowerCase()));
  const short = words.slice(0, 76);
  let free = short;
  for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${short} ${String(number)}`;
  return free;
}

function relabelled(plan: Plan, was: string | undefined, label: string): Plan {
  return {
    ...plan,
    order: plan.order?.map((one) => (one.by === was ? { ...one, by: label } : one)),
    each: plan.each?.map((one) => (one === was ? label : one)),
  };
}

const PERIODS = [
  [msg`Last year of the data`, 12],
  [msg`Last quarter of the data`, 3],
  [msg`Last month of the data`, 1],
] as const;

/** `place` of the condition that is replaced; -1: there is none yet. */
function periodChoices(plan: Plan, place: number, columns: readonly ColumnSummary[]): readonly Choices[] {
  const was = plan.filters[place];
  const times = columns.filter(({ type }) => type === 'time');
  const time = was === undefined ? times[0] : times.find(({ name }) => name === was.column);
  if (typeof time?.max !== 'string') return [];
  const { name: column, max: last } = time;
  const others = plan.filters.filter((one) => one !== was);
  const choices = PERIODS.map(([unit, months]) => {
    const [from, to] = lastPeriod(last, months);
    const filters = [...others, { kind: 'time', column, from, to }];
    return { name: `${i18n._(unit)} (${periodName(from, months)})`, again: { plan: { ...plan, filters } } };
  });
  const all = was === undefined ? [] : [{ name: t`All time`, again: { plan: { ...plan, filters: others } } }];
  return [{ heading: t`Period`, choices: [...all, ...choices] }];
}

/** Of a plan that is about all times, its periods to choose from. */
export function firstPeriods(understood: Understood, columns: readonly ColumnSummary[]): readonly Choices[] {
  return understood.parts.some(({ kind }) => kind === 'period') ? [] : periodChoices(planOf(understood), -1, columns);
}

/** The calendar's year, quarter or month that the last moment is in, in UTC; the end is not part of it. */
export function lastPeriod(last: string, months: number): readonly [string, string] {
  const moment = new Date(last);
  const month = Math.floor(moment.getUTCMonth() / months) * months;
  const day = (after: number): string =>
    new Date(Date.UTC(moment.getUTCFullYear(), month + after, 1)).toISOString().slice(0, 10);
  return [day(0), day(months)];
}

const MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' });

function periodName(from: string, months: number): string {
  const year = from.slice(0, 4);
  if (months === 12) return year;
  return months === 3 ? t`Q${String(Math.ceil(Number(from.slice(5, 7)) / 3))} ${year}` : MONTH.format(new Date(from));
}

function valueChoices(plan: Plan, part: Part, columns: readonly ColumnSummary[]): readonly Choices[] {
  const place = placeOf(part);
  const was = part.at.startsWith('filters.') ? plan.filters[place] : undefined;
  if (was?.kind !== 'in') return [];
  const { column: name = '' } = was;
  const values = columns.find((one) => one.name === name)?.top_values ?? [];
  return [
    {
      heading: was.negated === true ? t`${name} is not` : t`${name} is`,
      choices: values
        .filter(({ value }) => was.values?.length !== 1 || was.values[0] !== value)
        .map(({ value }) => ({
          name: value === '' ? t`empty` : value,
          again: { plan: { ...plan, filters: plan.filters.with(place, { ...was, values: [value] }) } },
        })),
    },
  ];
}

const CHARTS: Readonly<Record<ChartKind, MessageDescriptor>> = {
  line: msg`Line chart`,
  area: msg`Area chart`,
  bar: msg`Bar chart`,
  stacked_bar: msg`Stacked bars`,
  grouped_bar: msg`Grouped bars`,
  histogram: msg`Histogram`,
  scatter: msg`Scatter plot`,
  heatmap: msg`Heatmap`,
  pie: msg`Pie chart`,
};

const BY_GROUPINGS: readonly (readonly ChartKind[])[] = [
  ['histogram', 'scatter', 'bar', 'line'],
  ['bar', 'line', 'area', 'pie'],
  ['grouped_bar', 'stacked_bar', 'line', 'area', 'heatmap'],
];

function chartChoices(plan: Plan, now: ChartKind | null, columns: readonly ColumnSummary[]): readonly Choices[] {
  const kinds = BY_GROUPINGS[plan.dimensions?.length ?? 0] ?? [];
  const choices = kinds
    .filter((kind) => kind !== now && suits(kind, plan, columns))
    .map((chart) => ({ name: i18n._(CHARTS[chart]), again: { plan, chart } }));
  return [{ heading: t`Chart`, choices }];
}

/** Lines go along a time or numbers, and the parts of a pie are a whole. */
function suits(kind: ChartKind, { dimensions = [], measures = [] }: Plan, columns: readonly ColumnSummary[]): boolean {
  const isWords = (column: string): boolean =>
    columns.some(({ name, type }) => name === column && (type === 'text' || type === 'boolean'));
  if (kind === 'pie') return !measures.some(({ aggregate }) => aggregate !== 'sum' && isAggregate(aggregate));
  const isLine = kind === 'line' || kind === 'area';
  return !isLine || dimensions.length === 0 || dimensions.some((one) => one.kind !== 'column' || !isWords(one.column));
}

function placeOf({ at }: Part): number {
  return Number(at.split('.')[1] ?? -1);
}
