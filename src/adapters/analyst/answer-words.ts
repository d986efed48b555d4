import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { QueryResult } from '../../ports/table.js';
import { CellWriter } from './cells.js';
import { headlineOf } from './headline.js';
import { bullets, inline, tableOf } from './markdown.js';
import type { TableFacts } from './table-facts.js';
import type { Understanding } from './understand.js';

const SHOWN_ROWS = 10;
const SHOWN_COLUMNS = 8;
/** Lists end here unless somebody says a number. */
const LIST_END = 100;
const LONG = 600;

type Understood = Understanding & { readonly kind: 'plan' };

/** An answer in paragraphs: the figure, the rows behind it, what was assumed, and what was not read. */
export function answerWords(understood: Understood, result: QueryResult, facts: TableFacts): readonly string[] {
  const { plan } = understood;
  const single = plan.kind === 'aggregate' && plan.dimensions.length === 0;
  const paragraphs = [headlineOf(plan, result, facts)];
  if (!single && result.rows.length > (plan.kind === 'rows' || plan.limit === 1 ? 1 : 0)) {
    paragraphs.push(tableWords(understood, result, facts));
  }
  const notes = understood.notes.map((note) => inline(note, LONG));
  if (notes.length > 0) {
    paragraphs.push(
      `What I assumed, reading your question as “${inline(understood.purpose, LONG)}”:\n\n${bullets(notes)}`,
    );
  }
  if (understood.unread.length > 0) paragraphs.push(`I did not read ${quotedList(understood.unread)}.`);
  return paragraphs;
}

function tableWords({ plan }: Understood, result: QueryResult, facts: TableFacts): string {
  const cells = new CellWriter(plan, facts);
  const shown = shownPlaces(plan, result, facts);
  const columns = shown.flatMap((place) => result.columns[place] ?? []);
  const rows = result.rows
    .slice(0, SHOWN_ROWS)
    .map((row) => columns.map((column, index) => cells.write(row[shown[index] ?? 0] ?? null, column)));
  const head = columns.map(({ name }) => inline(name));
  const right = columns.map((column) => cells.isFigure(column));
  const more = moreWords(result, plan.kind === 'rows' && plan.limit === result.rows.length);
  return [tableOf(head, rows, right), ...(more === '' ? [] : [more])].join('\n\n');
}

/** Of many columns those that say which row it is and those that were asked about, in the table's order. */
function shownPlaces(
  plan: AnalysisPlan,
  { columns }: QueryResult,
  { identity, time, meta }: TableFacts,
): readonly number[] {
  const first = [identity?.name, time?.name, meta?.name, ...plan.filters.map(({ column }) => column)];
  const places = columns.map((_, place) => place);
  const wanted = places.filter((place) => first.includes(columns[place]?.name));
  const others = places.filter((place) => !wanted.includes(place));
  return [...wanted, ...others].slice(0, SHOWN_COLUMNS).sort((a, b) => a - b);
}

/** `mayBeMore`: the list ended where it was told to. */
function moreWords({ rows, columns, truncated }: QueryResult, mayBeMore: boolean): string {
  const parts: string[] = [];
  const total = mayBeMore && rows.length >= LIST_END ? `at least ${rows.length}` : String(rows.length);
  if (truncated) parts.push(`the first ${Math.min(rows.length, SHOWN_ROWS)} of more than ${rows.length} rows`);
  else if (rows.length > SHOWN_ROWS) parts.push(`the first ${SHOWN_ROWS} of ${total} rows`);
  if (columns.length > SHOWN_COLUMNS) parts.push(`${SHOWN_COLUMNS} of ${columns.length} columns`);
  return parts.length === 0 ? '' : `These are ${parts.join(' and ')}.`;
}

export function quotedList(words: readonly string[]): string {
  const quoted = words.slice(0, 8).map((word) => `“${inline(word)}”`);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1) ?? ''}`;
}
