import type { TaskStep, TaskStepType } from '../../ports/task-step.js';
import type { QueryResult } from '../../ports/table.js';
import { cellWords, countOf, inline, paragraphs, tableOf } from './markdown-words.js';

const MAX_CONTENT = 8000;
const MAX_TITLE = 200;
const SHOWN_ROWS = 10;
const SHOWN_COLUMNS = 8;

export interface StepWords {
  readonly title: string;
  readonly content?: string;
  readonly dbquery?: string;
  readonly visualization?: string;
}

/** A step from what is known of it; a title on one line, a content that is cut where it is too long. */
export function stepOf(
  type: TaskStepType,
  words: StepWords,
  time: { readonly startedAt: Date; readonly finishedAt: Date },
): TaskStep {
  const { title, content = '', dbquery = '', visualization = '' } = words;
  return {
    type,
    title: cut(title.replace(/\s+/g, ' ').trim(), MAX_TITLE),
    content: cut(content, MAX_CONTENT),
    dbquery,
    visualization,
    startedAt: time.startedAt,
    finishedAt: time.finishedAt,
  };
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The first rows of a result and how many there are. */
export function resultWords(result: QueryResult): string {
  const columns = result.columns.slice(0, SHOWN_COLUMNS);
  const rows = result.rows
    .slice(0, SHOWN_ROWS)
    .map((row) => columns.map(({ type }, index) => cellWords(row[index] ?? null, type === 'time')));
  const shown = rows.length < result.rows.length ? `, of which the first ${rows.length} stand here` : '';
  const total = result.truncated
    ? `more than ${countOf(result.rows.length, 'row')}`
    : countOf(result.rows.length, 'row');
  if (rows.length === 0) return 'No rows.';
  const right = columns.map(({ type }) => type === 'number' || type === 'integer');
  return paragraphs([
    tableOf(
      columns.map(({ name }) => inline(name)),
      rows,
      right,
    ),
    `${total}${shown}.`,
  ]);
}
