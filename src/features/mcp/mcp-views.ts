import { inline, paragraphs, tableOf } from '../../shared/markdown.js';
import type { AssistantAnswer } from '../../ports/assistant-answer.js';
import type { QueryResult } from '../../ports/table.js';
import type { ConversationId } from '../../shared/ids.js';
import type { JsonObject, JsonPrimitive } from '../../shared/json.js';
import type { Datasource } from '../datasource/datasource-reading.facade.js';

const MOST_SAMPLES = 10;
const LONGEST_CONTEXT = 300;
/** Rows of an answer: what a model reads costs its asker. */
const MOST_FIGURES = 20;
const LONGEST_CELL = 500;

/** A line of the list. */
export function listedView({ id, name, config, docCount, import: state, updatedAt }: Datasource): JsonObject {
  return {
    id,
    name,
    about: config.context.slice(0, LONGEST_CONTEXT),
    rows: docCount,
    state: state.status,
    updated_at: updatedAt.toISOString(),
  };
}

/** The columns of a datasource, and what is in them. */
export function schemaView({ id, name, config, import: state, profile }: Datasource): JsonObject {
  const columns = profile?.columns ?? [];
  return {
    id,
    name,
    about: config.context,
    state: state.status,
    rows: profile?.rowCount ?? 0,
    time_range: profile?.timeRange === null || profile === null ? null : { ...profile.timeRange },
    time_column: config.isTimeseries ? config.timeField : null,
    asset_column: config.metaField,
    measures: [...config.values],
    columns: columns.map((column) => ({
      name: column.name,
      type: column.type,
      empty: column.nulls,
      distinct: column.distinct,
      min: column.min,
      max: column.max,
      mean: column.mean,
      sample_values: column.topValues.slice(0, MOST_SAMPLES).map(({ value }) => value),
    })),
  };
}

export function queryView({ columns, rows, truncated, dbquery }: QueryResult): JsonObject {
  return {
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: rows.map((row) => [...row]),
    truncated,
    dbquery,
  };
}

export function answerData(conversationId: ConversationId, answer: AssistantAnswer): JsonObject {
  const { response, kind, query, dbquery, data, sources, model } = answer;
  return {
    conversation_id: conversationId,
    kind,
    answer: response,
    understood_as: query,
    dbquery,
    columns: [...(data?.columns ?? [])],
    rows: (data?.rows ?? []).slice(0, MOST_FIGURES).map((row) => [...row]),
    row_count: data?.rows.length ?? 0,
    sources: sources.map(({ filename, page, quote }) => ({ filename, page, quote })),
    model,
  };
}

/** The answer for a reader: words, what was understood, the query, the first figures. */
export function answerText(conversationId: ConversationId, answer: AssistantAnswer): string {
  const { response, query, dbquery, data, sources } = answer;
  return paragraphs([
    response,
    query === '' ? '' : `Understood as: ${query}`,
    dbquery === '' ? '' : `Query:\n\`\`\`sql\n${dbquery}\n\`\`\``,
    data === null || data.rows.length === 0 || hasTable(response) ? '' : tableText(data.columns, data.rows),
    ...sources.map(
      ({ filename, page, quote }) => `Source: ${filename}${page === null ? '' : `, page ${page}`}: “${quote}”`,
    ),
    `conversation_id: ${conversationId} (for a question that follows on this one)`,
  ]);
}

/** Then the figures are not told twice. */
function hasTable(markdown: string): boolean {
  return /^\|/m.test(markdown);
}

function tableText(columns: readonly string[], rows: readonly (readonly JsonPrimitive[])[]): string {
  const shown = rows.slice(0, MOST_FIGURES).map((row) => row.map((cell) => inline(String(cell ?? ''), LONGEST_CELL)));
  const head = columns.map((name) => inline(name, LONGEST_CELL));
  const table = tableOf(head, shown);
  return rows.length <= MOST_FIGURES ? table : `${table}\n\nThe first ${MOST_FIGURES} of ${rows.length} rows.`;
}
