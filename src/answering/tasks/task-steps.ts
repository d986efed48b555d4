import type { TaskStep, TaskStepType } from '../../ports/task-step.js';
import type { Cell, QueryResult } from '../../ports/table.js';
import { inert, paragraphs, tableOf } from '../../shared/markdown.js';
import { counted, numberWords } from '../../shared/number-words.js';
import { cut } from '../../shared/tame.js';
import { momentWords } from '../../plan/time-words.js';

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

/** A step from what is known of it: its title on one line, its texts cut to what is kept. */
export function stepOf(
  type: TaskStepType,
  words: StepWords,
  time: { readonly startedAt: Date; readonly finishedAt: Date },
): TaskStep {
  const { title, content = '', dbquery = '', visualization = '' } = words;
  return {
    type,
    title: cut(title.replace(/\s+/g, ' ').trim(), MAX_TITLE),
    content: cutLines(content),
    dbquery: cut(dbquery, MAX_CONTENT),
    visualization,
    startedAt: time.startedAt,
    finishedAt: time.finishedAt,
  };
}

/** Without half a line at its end, which may be half a link. */
function cutLines(text: string): string {
  if (text.length <= MAX_CONTENT) return text;
  const lines = text.slice(0, MAX_CONTENT - 2);
  const end = lines.lastIndexOf('\n');
  return end < 0 ? cut(text, MAX_CONTENT) : `${lines.slice(0, end)}\n…`;
}

/** The first rows of a result and how many there are. */
export function resultWords(result: QueryResult): string {
  const columns = result.columns.slice(0, SHOWN_COLUMNS);
  const rows = result.rows
    .slice(0, SHOWN_ROWS)
    .map((row) => columns.map(({ type }, index) => cellWords(row[index] ?? null, type === 'time')));
  const shown = rows.length < result.rows.length ? `, the first ${rows.length} of them here` : '';
  const total = `${result.truncated ? 'more than ' : ''}${counted(result.rows.length, 'row')}`;
  if (rows.length === 0) return 'No rows.';
  const right = columns.map(({ type }) => type === 'number' || type === 'integer');
  return paragraphs([
    tableOf(
      columns.map(({ name }) => inert(name)),
      rows,
      right,
    ),
    `${total}${shown}.`,
  ]);
}

function cellWords(cell: Cell, isTime: boolean): string {
  if (cell === null) return '–';
  if (typeof cell === 'number') return numberWords(cell);
  return (isTime ? momentWords(String(cell), null) : inert(String(cell))) || '(empty)';
}
