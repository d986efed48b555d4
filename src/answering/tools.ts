import { z } from 'zod';
import type { AnalysisPlan } from '../ports/analysis-plan.js';
import { CHART_KINDS, type ChartRequest } from '../ports/chart-renderer.js';
import type { ToolDefinition } from '../ports/chat-model.js';
import { PIPELINES, type QueryLanguage, SQL } from '../ports/query-language.js';
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

const statement = z.string().trim().min(1).max(20_000);
/** Some write the stages themselves, others the text of them. */
const stages = z.union([z.array(z.unknown()), statement]).transform((written, context) => {
  try {
    return typeof written === 'string' ? written : JSON.stringify(written);
  } catch {
    // Nothing else can be wrong with what was JSON a moment ago.
    context.addIssue('it is nested too deeply');
    return z.NEVER;
  }
});

const querySchemas = {
  sql: z.strictObject({ sql: statement.describe(SQL.statement), purpose }),
  pipeline: z.strictObject({ pipeline: stages, purpose }),
};
/** Told more plainly than it is read: many models know no choice between types. */
const toldPipeline = z.strictObject({
  pipeline: z.array(z.record(z.string(), z.unknown())).describe(PIPELINES.statement),
  purpose,
});

const schemas = {
  analyze: z.strictObject({ plan: planSchema, purpose }),
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

const TOOL_NAMES = ['analyze', 'run_query', 'make_chart'];

/** What a checked call asks for. */
export type ToolUse =
  | { readonly tool: 'run_query'; readonly statement: string; readonly purpose: string }
  | { readonly tool: 'analyze'; readonly plan: AnalysisPlan; readonly purpose: string }
  | { readonly tool: 'make_chart'; readonly chart: ChartRequest; readonly result: string | null };

/** The tools as a model is told about them, where statements are written in the language. */
export function dataTools(language: QueryLanguage): readonly ToolDefinition[] {
  return TOOLS[language.name];
}

function toolsFor({ title, tool, argument }: QueryLanguage): readonly ToolDefinition[] {
  return [
    {
      name: 'analyze',
      description: `Works out figures by groups (\`aggregate\`), lists rows (\`rows\`), or tests, correlates and fits (\`statistic\`) by a plan instead of ${title}. Use it first: a plan can’t be written wrong in silence. Leave out what is optional.`,
      parameters: jsonSchemaOf(schemas.analyze),
    },
    {
      name: 'run_query',
      description: tool,
      parameters: jsonSchemaOf(argument === 'sql' ? querySchemas.sql : toldPipeline),
    },
    {
      name: 'make_chart',
      description: 'Draws a chart of a query result; x, y and series are names of its columns. One chart per answer.',
      parameters: jsonSchemaOf(schemas.make_chart),
    },
  ];
}

const TOOLS: Readonly<Record<QueryLanguage['name'], readonly ToolDefinition[]>> = {
  sql: toolsFor(SQL),
  mongodb: toolsFor(PIPELINES),
};

/** Those of a row store that speaks SQL. */
export const DATA_TOOLS = TOOLS.sql;

function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });
  return z.record(z.string(), z.json()).parse(rest);
}

/**
 * Reads the arguments of a call strictly: whole JSON, nothing missing, nothing unknown.
 *
 * @throws AppError `invalid_input` with a sentence for whoever wrote the call.
 */
export function readToolUse(name: string, json: string, language: QueryLanguage = SQL): ToolUse {
  switch (name) {
    case 'run_query':
      return readQuery(json, language);
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
      throw new AppError('invalid_input', `there is no such tool; there are ${TOOL_NAMES.join(', ')}`);
  }
}

function readQuery(json: string, { argument }: QueryLanguage): ToolUse {
  if (argument === 'sql') {
    const { sql, purpose: why } = read(querySchemas.sql, json);
    return { tool: 'run_query', statement: sql, purpose: cleanLine(why, MAX_PURPOSE) };
  }
  const { pipeline, purpose: why } = read(querySchemas.pipeline, json);
  return { tool: 'run_query', statement: pipeline, purpose: cleanLine(why, MAX_PURPOSE) };
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
