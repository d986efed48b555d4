import type { DerivedColumn } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import type { TableFacts } from '../table-facts.js';
import { isYear } from '../year-columns.js';
import { onlyColumnAt, type ColumnHere } from './column-mentions.js';
import type { Line } from './line.js';
import type { Sentence } from './sentence.js';
import { columnInUnit } from './unit-words.js';

/** `per hp`, `per employee`: a figure for each of another, where the other is no group. */
export function perFigureAt(sentence: Sentence, at: number): number | null {
  const below = sentence.line.is(at, 'per') ? divisorAt(sentence, at + 1) : null;
  if (below === null) return null;
  if (rowByRow(sentence, below.column)) return below.next;
  const total = dividendOf(sentence);
  if (total === null) return null;
  if (sentence.columns.length > 0) sentence.items.pop();
  sentence.note(`I divided the total ${total} by the total ${below.column.name}.`);
  sentence.computed.push({
    kind: 'ratio',
    left: sentence.addMeasure({ aggregate: 'sum', column: total }),
    right: sentence.addMeasure({ aggregate: 'sum', column: below.column.name }),
  });
  return below.next;
}

/** `average height per floor`, `the most visitors per member of staff`: the one divided by the other in every row. */
function rowByRow(sentence: Sentence, below: ColumnFacts): boolean {
  const averaged = averagedLast(sentence);
  const name = averaged ?? rankedAlone(sentence);
  const above = name === null ? undefined : sentence.columnNamed(name);
  if (above?.role !== 'figure' || above === below) return false;
  const column = sentence.derive(ratioOf(above.name, below.name));
  const { items, rank } = sentence;
  if (averaged !== null) items.splice(-1, 1, { kind: 'measure', measure: { aggregate: 'avg', column } });
  else if (rank !== null) sentence.rank = { ...rank, by: { kind: 'column', column, measure: null } };
  sentence.note(`I divided ${above.name} by ${below.name} in every row.`);
  return true;
}

/** The column of which the average was asked for last. */
function averagedLast({ items }: Sentence): string | null {
  const last = items.at(-1);
  return last?.kind === 'measure' && last.measure.aggregate === 'avg' ? last.measure.column : null;
}

/** The column that rows are ranked by, with no figure beside it. */
function rankedAlone({ items, rank }: Sentence): string | null {
  return rank?.by.kind === 'column' && rank.by.measure === null && items.length < 2 ? rank.by.column : null;
}

function ratioOf(above: string, below: string): DerivedColumn {
  return {
    name: `${above} per ${below}`,
    expression: {
      kind: 'arithmetic',
      operator: '/',
      left: { kind: 'column', column: above },
      right: { kind: 'column', column: below },
    },
  };
}

/** A figure; one with few values is a group. */
function divisorAt({ line }: Sentence, at: number): ColumnHere | null {
  const named = onlyColumnAt(line, pastMember(line, at)) ?? measuredIn(line, at);
  if (named === null || !isPlainFigure(named.column)) return null;
  const isGroup = !named.column.additive && named.column.profile.distinct <= FEW;
  return isGroup && !countsPieces(line, named) ? null : named;
}

function isPlainFigure(column: ColumnFacts): boolean {
  return column.role === 'figure' && !column.identifies && !isYear(column);
}

const FEW = 12;

/** `per kilo`: the only figure that is measured so. */
function measuredIn(line: Line, at: number): ColumnHere | null {
  const column = columnInUnit(line, at);
  return column === null ? null : { column, strength: 60, next: at + 1 };
}

/** `per member of staff`. */
function pastMember(line: Line, at: number): number {
  return line.is(at, 'member', 'head', 'unit') && line.is(at + 1, 'of') ? at + 2 : at;
}

/** `per floor` of a column called floors, which says how many there are: one of them, and no group. */
function countsPieces(line: Line, { column: { words }, next }: ColumnHere): boolean {
  const said = line.key(next - 1);
  return !said.endsWith('s') && words.includes(`${said}s`);
}

/** The one total that was asked for so far, or the one column that can be added up. */
function dividendOf({ items, facts }: Sentence): string | null {
  const [item, another] = items;
  if (item === undefined || another !== undefined) return null;
  if (item.kind === 'measure') return item.measure.aggregate === 'sum' ? item.measure.column : null;
  return item.kind === 'column' && canBeAddedUp(facts, item.column) ? item.column : null;
}

function canBeAddedUp({ columns }: TableFacts, wanted: string): boolean {
  return columns.some(({ name, role, additive }) => name === wanted && role === 'figure' && additive);
}
