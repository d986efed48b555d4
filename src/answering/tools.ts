import { z } from 'zod';
import { type Aggregate, AGGREGATES, type AnalysisPlan, SERIES_KINDS, TIME_BUCKETS } from '../ports/analysis-plan.js';
import { CHART_KINDS, type ChartRequest } from '../ports/chart-renderer.js';
import type { JoinedBriefing, ToolDefinition } from '../ports/chat-model.js';
import { STATISTIC_METHODS } from '../ports/plan-statistics.js';
import type { TableProfile } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import { isRecord, type JsonObject, parsedJson } from '../shared/json.js';
import { cleanLine } from './markdown-cleaner.js';
import { PAIR_KINDS, planSchema } from '../plan/plan-schema.js';
import { FILTER_OPERATORS, planOf, TOLD_PARTS } from './told-plan.js';

/*
 * The tools as a model is told of them: flat and short, because every question pays for them. What is rare stands in a few words, and what is
 * read is richer (`told-plan.ts`, `plan-schema.ts`).
 */
const TEXT = { type: 'string' } as const;
const NUMBER = { type: 'number' } as const;
const COUNT = { type: 'integer' } as const;

function text(description: string): JsonObject {
  return { ...TEXT, description };
}

function oneOf(values: readonly string[], description?: string): JsonObject {
  return { ...TEXT, enum: values, ...(description === undefined ? {} : { description }) };
}

function listOf(items: JsonObject, description?: string): JsonObject {
  return { type: 'array', items, ...(description === undefined ? {} : { description }) };
}

function objectOf(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

function argumentsOf(properties: JsonObject, required: readonly string[]): JsonObject {
  return { ...objectOf(properties, required), additionalProperties: false };
}

const RARE: readonly Aggregate[] = [
  ...(['stddev_pop', 'variance_pop', 'skewness_pop', 'kurtosis_pop', 'product', 'mean_abs_deviation'] as const),
  ...(['standard_error', 'skewness', 'kurtosis', 'covariance', 'intercept', 'r_squared'] as const),
];
const TOLD_AGGREGATES = AGGREGATES.filter((aggregate) => !RARE.includes(aggregate));
const PURPOSE = text('what this finds out, for the user');
const CHART = {
  type: 'object',
  description: 'draws the result, as make_chart',
};

const FILTERS = listOf(
  objectOf({
    column: TEXT,
    operator: oneOf(FILTER_OPERATORS),
    value: text('number, text, or time: 2024, 2024-03, 2024-03-31T08:00, now-7d/d'),
    values: listOf(TEXT, 'of in, between'),
    other: text('a column instead of a value'),
    aggregate: text('its figure instead of a value: avg'),
    any: listOf({ type: 'object' }, 'alone: one of these filters, or lists of them, must hold'),
  }),
  'all must hold',
);

const ANALYZE = argumentsOf(
  {
    purpose: PURPOSE,
    measures: listOf(
      objectOf(
        {
          aggregate: oneOf(TOLD_AGGREGATES),
          column: text('none: count of rows'),
          label: TEXT,
          second: text('x of slope, correlation …'),
          parameter: { ...NUMBER, description: 'of percentile: 0.9' },
          filters: listOf({ type: 'object' }, 'for this figure alone'),
        },
        ['aggregate'],
      ),
    ),
    group_by: listOf(
      objectOf({ column: TEXT, by: oneOf([...TIME_BUCKETS, ...Object.keys(TOLD_PARTS)], 'of a time'), label: TEXT }, [
        'column',
      ]),
    ),
    filters: FILTERS,
    computed: listOf(
      objectOf({
        kind: oneOf([...SERIES_KINDS, ...PAIR_KINDS]),
        of: text('label of a measure'),
        with: text('label of the other one: ratio = of / with'),
        window: COUNT,
        label: TEXT,
      }),
      'from figures, over the groups',
    ),
    having: listOf(objectOf({ of: text('label'), operator: TEXT, value: NUMBER }), 'conditions on figures'),
    order: listOf(objectOf({ by: text('label or column'), direction: oneOf(['asc', 'desc']) })),
    limit: COUNT,
    each: listOf(TEXT, 'labels: limit counts within each'),
    summary: {
      type: 'object',
      description: 'one figure over all groups: {"aggregate":"avg","of":label}',
    },
    columns: listOf(TEXT, 'of rows, or of the statistic (outcome first)'),
    distinct: { type: 'boolean' },
    statistic: oneOf(STATISTIC_METHODS, 'of columns; comparisons of groups need group_by'),
    at: listOf(NUMBER, 'regression: predict here'),
    value: { ...NUMBER, description: 'of one_sample_t_test' },
    derived: listOf(
      { type: 'object' },
      'columns worked out per row: {"name":"profit","expression":{"operator":"-","left":"price","right":"cost"}}; or {"function":"log","of"}, {"kind":"part","column","part":"year"}, {"kind":"duration","from","to","unit":"days"}, {"kind":"bins","of","edges":[18,65]}, {"kind":"case","cases":[{"filters":[],"value"}],"otherwise"}, {"kind":"filled","column","with":"mean"}',
    ),
    chart: CHART,
  },
  ['purpose'],
);

const MAKE_CHART = argumentsOf(
  {
    kind: oneOf(CHART_KINDS),
    x: text('column of the result'),
    y: text('none for a histogram; the colour of a heatmap'),
    series: text('a line, bar or colour per value; the rows of a heatmap'),
    title: TEXT,
    result: text('id of a result; none: the last one'),
  },
  ['kind', 'x', 'title'],
);

/** Finds out about columns that the table's description leaves out. */
export const DESCRIBE: ToolDefinition = {
  name: 'describe',
  description: 'Tells type, range and frequent values of columns.',
  parameters: argumentsOf({ columns: listOf(TEXT, 'names, or words of names to search for') }, ['columns']),
};

const RUN_QUERY = argumentsOf({ sql: text('one SELECT over the table `data`'), purpose: PURPOSE, chart: CHART }, [
  'sql',
  'purpose',
]);

export const DATA_TOOLS: readonly ToolDefinition[] = [
  {
    name: 'analyze',
    description:
      'Works out figures (`measures`) by groups (`group_by`), lists rows (`columns`), or runs a `statistic`, without SQL. Leave out what is not needed. E.g. {"purpose":"revenue by month","measures":[{"aggregate":"sum","column":"revenue","label":"revenue"}],"group_by":[{"column":"time","by":"month","label":"month"}],"chart":{"kind":"line","x":"month","y":"revenue","title":"Revenue by month"}}',
    parameters: ANALYZE,
  },
  {
    name: 'run_query',
    description:
      'Runs one read-only SQL SELECT over the table `data` and returns its rows: for what `analyze` can’t say.',
    parameters: RUN_QUERY,
  },
  {
    name: 'make_chart',
    description: 'Draws a result. One chart per answer.',
    parameters: MAKE_CHART,
  },
];

/** Says what an investigation looks at. */
export const PLAN: ToolDefinition = {
  name: 'plan',
  description: 'Says which steps you mean to take, for the user. Call it first, and again when findings change them.',
  parameters: argumentsOf({ steps: listOf(TEXT, 'one sentence each') }, ['steps']),
};

/** The same tools over several datasources, one of which each call names; `joined` are the tables that some may be joined with. */
export function toolsOver(datasources: readonly string[], joined: readonly string[] = []): readonly ToolDefinition[] {
  const join = joined.length === 0 ? {} : { join: oneOf(joined, 'a table that the datasource may be joined with') };
  return [...DATA_TOOLS, DESCRIBE].map((tool) => {
    const { properties, required } = tool.parameters;
    if (tool.name === 'make_chart' || !isRecord(properties)) return tool;
    return {
      ...tool,
      parameters: {
        ...tool.parameters,
        properties: { datasource: oneOf(datasources), ...properties, ...(tool.name === 'analyze' ? join : {}) },
        required: ['datasource', ...z.array(z.string()).catch([]).parse(required)],
      },
    };
  });
}

const MAX_PURPOSE = 200;
const MAX_TITLE = 120;
const MAX_PROBLEM = 800;
/** Objects within objects that a plan can need; reading more of them would go as deep as they do. */
const DEEPEST_OBJECT = 45;

const purpose = z
  .string()
  .max(2000)
  .nullish()
  .transform((why) => cleanLine(why ?? '', MAX_PURPOSE));
const columnName = z.string().max(1000);
const optionalName = columnName.nullish().transform((name) => (name === undefined || name === '' ? null : name));
const optionalTitle = z
  .string()
  .max(1000)
  .nullish()
  .transform((title) => (title === undefined || title === null || title === '' ? null : cleanLine(title, MAX_TITLE)));

const chartParts = {
  kind: z.enum(CHART_KINDS),
  x: columnName.min(1),
  y: optionalName,
  series: optionalName,
  title: z.string().max(1000),
  x_title: optionalTitle,
  y_title: optionalTitle,
};

function drawnFrom({ title, x_title, y_title, ...names }: z.output<z.ZodObject<typeof chartParts>>): ChartRequest {
  return { ...names, title: cleanLine(title, MAX_TITLE), xTitle: x_title, yTitle: y_title };
}

const chart = z
  .preprocess(unpacked, z.strictObject(chartParts).transform(drawnFrom).nullish())
  .transform((request) => request ?? null);
const query = z.strictObject({ sql: z.string().trim().min(1).max(20_000), purpose, chart });
const askedAlong = z.object({ purpose, chart });
const drawing = z
  .strictObject({ ...chartParts, result: z.string().max(20).nullish() })
  .transform(({ result, ...parts }) => ({ result: result ?? null, chart: drawnFrom(parts) }));
const planned = z.strictObject({
  steps: z
    .array(z.string().max(1000))
    .min(1)
    .max(20)
    .transform((steps) => steps.map((step) => cleanLine(step, MAX_PURPOSE))),
});
const description = z.strictObject({
  columns: z.union([z.array(columnName).max(100), columnName.transform((name) => [name])]),
});

interface Query {
  readonly purpose: string;
  /** To be drawn of its result at once. */
  readonly chart: ChartRequest | null;
}

/** What a checked call asks for. */
export type ToolUse =
  | (Query & { readonly tool: 'run_query'; readonly sql: string })
  | (Query & { readonly tool: 'analyze'; readonly plan: AnalysisPlan })
  | { readonly tool: 'make_chart'; readonly chart: ChartRequest; readonly result: string | null }
  | { readonly tool: 'describe'; readonly columns: readonly string[] }
  | { readonly tool: 'plan'; readonly steps: readonly string[] };

/**
 * Reads the arguments of a call strictly: whole JSON, nothing missing that matters, nothing unknown. The profile tells which columns are times.
 *
 * @throws AppError `invalid_input` with a sentence for whoever wrote the call.
 */
export function readToolUse(
  name: string,
  json: string,
  profile: TableProfile | null = null,
  joined: readonly JoinedBriefing[] = [],
): ToolUse {
  switch (name) {
    case 'run_query':
      return { tool: 'run_query', ...read(query, parsed(json)) };
    case 'analyze':
      return readAnalysis(parsed(json), profile, joined);
    case 'make_chart':
      return { tool: 'make_chart', ...read(drawing, parsed(json)) };
    case 'describe':
      return { tool: 'describe', ...read(description, parsed(json)) };
    case 'plan':
      return { tool: 'plan', ...read(planned, parsed(json)) };
    default:
      throw new AppError('invalid_input', `there is no such tool; there are ${TOOL_NAMES.join(', ')}`);
  }
}

/** The datasource that a call names, and the call without it. @throws AppError `invalid_input` */
export function readAddress(
  json: string,
  datasources: readonly string[],
): { readonly at: number; readonly rest: string } {
  const given = parsed(json);
  const { datasource, ...rest } = isRecord(given) ? given : {};
  const wanted = typeof datasource === 'string' ? datasource.trim().toLowerCase() : '';
  const at = datasources.findIndex((name) => name.toLowerCase() === wanted);
  if (at >= 0) return { at, rest: JSON.stringify(rest) };
  throw new AppError('invalid_input', `datasource must be one of ${datasources.join(', ')}`.slice(0, MAX_PROBLEM));
}

const TOOL_NAMES = [...DATA_TOOLS, DESCRIBE].map(({ name }) => name);

function readAnalysis(given: unknown, profile: TableProfile | null, joined: readonly JoinedBriefing[]): ToolUse {
  if (!isRecord(given))
    throw new AppError('invalid_input', `the arguments are no object. Right: {${EXAMPLES['measures']}}`);
  if (isDeeper(given, DEEPEST_OBJECT)) throw new AppError('invalid_input', 'the arguments are nested too deeply');
  const { purpose: why, chart: drawn, plan, ...flat } = unpackedAll(given);
  const along = read(askedAlong, { purpose: why, chart: drawn });
  const whole = isRecord(plan)
    ? { ...unpackedAll(plan), ...flat }
    : given['plan'] === undefined
      ? flat
      : { ...flat, plan };
  return { tool: 'analyze', ...along, plan: read(planSchema, planOf(whole, profile, joined)) };
}

/** Some write a list or an object as the text of it. */
function unpackedAll(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, unpacked(value)]));
}

function unpacked(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  const whole = parsedJson(value);
  return whole === undefined || isDeeper(whole, DEEPEST_OBJECT) ? value : whole;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

function read<T>(schema: z.ZodType<T>, given: unknown): T {
  const checked = schema.safeParse(given);
  if (checked.success) return checked.data;
  const problems = checked.error.issues.slice(0, MAX_ISSUES).map(inWords);
  throw new AppError('invalid_input', `the arguments do not fit: ${problems.join('; ')}`.slice(0, MAX_PROBLEM));
}

const MAX_ISSUES = 3;
/** Of plans, as they are told. */
const TOLD_NAMES: Readonly<Record<string, string>> = { dimensions: 'group_by', method: 'statistic' };
const EXAMPLES: Readonly<Record<string, string>> = {
  measures: '"measures":[{"aggregate":"sum","column":"revenue","label":"revenue"}]',
  dimensions: '"group_by":[{"column":"time","by":"month","label":"month"}]',
  filters: '"filters":[{"column":"region","operator":"in","values":["North"]}]',
  derived: '"derived":[{"name":"profit","expression":{"operator":"-","left":"price","right":"cost"}}]',
  computed: '"computed":[{"kind":"share","of":"revenue","label":"share"}]',
  having: '"having":[{"of":"revenue","operator":">","value":100}]',
  order: '"order":[{"by":"revenue","direction":"desc"}]',
  summary: '"summary":{"aggregate":"avg","of":"revenue","label":"average"}',
  method: '"statistic":"pearson","columns":["price","revenue"]',
  chart: '"chart":{"kind":"bar","x":"region","y":"revenue","title":"Revenue by region"}',
  sql: '"sql":"SELECT count(*) FROM data"',
};

/** Which field is wrong, what is allowed there, and a right example. */
function inWords(issue: z.core.$ZodIssue): string {
  const [root, ...below] = issue.path.map(String);
  const place = [TOLD_NAMES[root ?? ''] ?? root, ...below].join('.').replace(/\.(\d+)/g, '[$1]');
  const options = issue.code === 'invalid_union' && 'options' in issue ? issue.options : undefined;
  const said = options === undefined ? issue.message : `must be one of ${options.map(String).join(', ')}`;
  const example = EXAMPLES[root ?? ''];
  return `${place === '' ? '' : `${place}: `}${said.replaceAll('|', ', ')}${example === undefined ? '' : `. Right: ${example}`}`;
}

function parsed(json: string): unknown {
  const given = parsedJson(json);
  const whole = typeof given === 'string' ? parsedJson(given) : given;
  if (whole !== undefined) return whole;
  // What stands there instead says nothing; a call that was cut looks the same.
  throw new AppError('invalid_input', 'the arguments are not complete JSON, so the call was not run');
}
