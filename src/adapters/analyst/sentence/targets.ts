import { bucketFor } from '../calendar.js';
import type { ColumnFacts } from '../column-facts.js';
import type { DimensionDraft } from '../../../analyst/reading/draft.js';
import { GROUPINGS } from '../phrases.js';
import { columnAt, onlyOf, type ColumnHere } from './column-mentions.js';
import type { Sentence } from './sentence.js';
import { yearColumns } from './time-conditions.js';

/** A number with more different values than this is no group. */
const MOST_GROUPS = 80;

export interface Target {
  readonly dimension: DimensionDraft;
  readonly next: number;
}

/** What figures can be grouped by that is named here: a column, or a stretch or part of the time. */
export function targetAt(sentence: Sentence, at: number): Target | null {
  const named = columnAt(sentence.line, at);
  const spanned = timeTarget(sentence, at);
  const isNamed = named !== null && named.strength >= 90 && named.next >= (spanned?.next ?? 0);
  if (spanned !== null && !isNamed) return spanned;
  return columnTarget(onlyOf(named)) ?? spanned;
}

function columnTarget(named: ColumnHere | null): Target | null {
  if (named === null || named.strength < 45) return null;
  const dimension = columnDimension(named.column);
  return dimension === null ? null : { dimension, next: named.next };
}

function timeTarget(sentence: Sentence, at: number): Target | null {
  for (let length = LONGEST_SPAN; length > 0; length -= 1) {
    const span = spanSaid(sentence, at, length);
    if (span === null) continue;
    const dimension = spanDimension(sentence, span);
    return dimension === null ? null : { dimension, next: at + length };
  }
  return null;
}

const LONGEST_SPAN = 5;

type Span = Extract<ReturnType<typeof GROUPINGS.get>, { readonly kind: 'bucket' | 'part' }>;

function spanSaid({ line }: Sentence, at: number, length: number): Span | null {
  const meaning = line.has(at, at + length, '') ? undefined : GROUPINGS.get(line.keys(at, at + length));
  return meaning?.kind === 'bucket' || meaning?.kind === 'part' ? meaning : null;
}

function spanDimension(sentence: Sentence, span: Span): DimensionDraft | null {
  const column = timeColumn(sentence);
  if (column === null) return yearNumbers(sentence, span);
  return span.kind === 'bucket'
    ? { kind: 'bucket', column, bucket: span.bucket }
    : { kind: 'part', column, part: span.part };
}

/** A column of plain years groups by year where the table has no time. */
function yearNumbers(sentence: Sentence, span: Span): DimensionDraft | null {
  const [year, another] = yearColumns(sentence);
  if (span.kind !== 'bucket' || span.bucket !== 'year' || sentence.facts.time !== null) return null;
  return year === undefined || another !== undefined ? null : { kind: 'column', column: year.name };
}

/** The time that a verb speaks of, else the table's own. */
function timeColumn({ facts, hinted }: Sentence): string | null {
  const spoken = hinted.filter(({ role }) => role === 'time');
  return (spoken.length === 1 ? spoken[0]?.name : facts.time?.name) ?? null;
}

/** How a column groups; numbers only where they have few values. */
export function columnDimension(column: ColumnFacts): DimensionDraft | null {
  if (column.role === 'time') {
    const [first, last] = [Date.parse(String(column.profile.min)), Date.parse(String(column.profile.max))];
    if (Number.isNaN(first) || first === last) return null;
    return { kind: 'bucket', column: column.name, bucket: bucketFor({ from: first, to: last }) };
  }
  const isFew = column.profile.type === 'integer' && column.profile.distinct <= MOST_GROUPS;
  return column.role === 'figure' && !isFew ? null : { kind: 'column', column: column.name };
}
