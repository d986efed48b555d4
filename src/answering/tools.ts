import { z } from 'zod';
import type { AnalysisPlan } from '../ports/analysis-plan.js';
import { CHART_KINDS, type ChartRequest } from '../ports/chart-renderer.js';
import type { ToolDefinition } from '../ports/chat-model.js';
import { AppError } from '../shared/app-error.js';
import type { JsonObject } from '../shared/json.js';
import { cleanLine } from './markdown-cleaner.js';
import { planSchema } from './plan-schema.js';

const MAX_PURPOSE = 200;
const MAX_TITLE = 120;
const MAX_PROBLEM = 600;

const purpose = z.string().max(2000).describe('the question that this answers, in words, for the user');
const columnName = z.string().max(1000);
const optionalName = columnName.nullish().transform((name) => (name === undefined || name === '' ? null : name));
const optionalTitle = z
  .string()
  .max(1000)
  .nullish()
  .transform((title) => (title === undefined || title === null || title === '' ? null : cleanLine(title, MAX_TITLE)));

const schemas = {
  analyze: z.strictObject({ plan: planSchema, purpose }),
  run_query: z.strictObject({
    sql: z.string().trim().min(1).max(20_000).describe('one SELECT over the table `data`'),
    purpose,
  }),
  make_chart: z.strictObject({
    kind: z.enum(CHART_KINDS),
    x: columnName.min(1),
    y: optionalName.describe('null only for a histogram; the colour of a heatmap'),
    series: optionalName.describe('one line, bar or colour per value; the rows of a heatmap'),
    title: z.string().max(1000),
    x_title: optionalTitle,
    y_title: optionalTitle,
    result: z.string().max(20).nullish().describe('id of the query result to draw; the last one without it'),
  }),
};

const DESCRIPTIONS: Readonly<Record<keyof typeof schemas, string>> = {
  run_query: 'Runs one read-only SQL SELECT over the table `data` and returns its rows: for what no plan can say.',
  analyze:
    'Works out figures by groups (`aggregate`), lists rows (`rows`), or tests, correlates and fits (`statistic`) by a plan instead of SQL. Use it first: a plan can’t be written wrong in silence. Leave out what is optional.',
  make_chart: 'Draws a chart of a query result; x, y and series are names of its columns. One chart per answer.',
};

/** What a checked call asks for. */
export type ToolUse =
  | { readonly tool: 'run_query'; readonly sql: string; readonly purpose: string }
  | { readonly tool: 'analyze'; readonly plan: AnalysisPlan; readonly purpose: string }
  | { readonly tool: 'make_chart'; readonly chart: ChartRequest; readonly result: string | null };

/** The tools as a model is told about them. */
export const DATA_TOOLS: readonly ToolDefinition[] = Object.entries(schemas).map(([name, schema]) => ({
  name,
  description: DESCRIPTIONS[name as keyof typeof schemas],
  parameters: jsonSchemaOf(schema),
}));

function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });
  return z.record(z.string(), z.json()).parse(rest);
}

/**
 * Reads the arguments of a call strictly: whole JSON, nothing missing, nothing unknown.
 *
 * @throws AppError `invalid_input` with a sentence for whoever wrote the call.
 */
export function readToolUse(name: string, json: string): ToolUse {
  switch (name) {
    case 'run_query': {
      const { sql, purpose: why } = read(schemas.run_query, json);
      return { tool: 'run_query', sql, purpose: cleanLine(why, MAX_PURPOSE) };
    }
    case 'analyze': {
      const { plan, purpose: why } = read(schemas.analyze, json);
      return { tool: 'analyze', plan, purpose: cleanLine(why, MAX_PURPOSE) };
    }
    case 'make_chart': {
      const { result, title, x_title, y_title, ...names } = read(schemas.make_chart, json);
      const titles = { title: cleanLine(title, MAX_TITLE), xTitle: x_title, yTitle: y_title };
      return { tool: 'make_chart', chart: { ...names, ...titles }, result: result ?? null };
    }
    default:
      throw new AppError('invalid_input', `there is no such tool; there are ${Object.keys(schemas).join(', ')}`);
  }
}

function read<T>(schema: z.ZodType<T>, json: string): T {
  const checked = schema.safeParse(parsed(json));
  if (checked.success) return checked.data;
  const problem = z.prettifyError(checked.error).slice(0, MAX_PROBLEM);
  throw new AppError('invalid_input', `the arguments do not fit: ${problem}`);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // What stands there instead says nothing; a call that was cut looks the same.
    throw new AppError('invalid_input', 'the arguments are not complete JSON, so the call was not run');
  }
}
