import type { AnalysisPlan, Dimension } from '../../ports/analysis-plan.js';
import { isNumeric, type Cell, type ResultColumn } from '../../ports/table.js';
import { inline } from './markdown.js';
import { momentWords } from './moments.js';
import type { TableFacts } from './table-facts.js';
import { monthName } from './time-words.js';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** A figure that can be read: thousands apart, and no more digits than it can have earned. */
export function numberWords(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString('en-US');
  const size = Math.abs(value);
  if (size < 1) return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
  const digits = size >= 99_999.5 ? 0 : size >= 9999.95 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}

/** Writes the cells of a plan's result as Markdown. */
export class CellWriter {
  constructor(
    private readonly plan: AnalysisPlan,
    private readonly facts: TableFacts,
  ) {}

  write(cell: Cell, column: ResultColumn): string {
    if (cell === null) return '–';
    const dimension = this.dimension(column.name);
    if (dimension?.kind === 'part') return partWords(dimension, Number(cell));
    if (typeof cell === 'number') return this.isLabel(column.name) ? String(cell) : numberWords(cell);
    if (column.type === 'time') return timeWords(String(cell), dimension);
    return inline(String(cell)) || '(empty)';
  }

  isFigure({ name, type }: ResultColumn): boolean {
    return isNumeric(type) && this.dimension(name) === null && !this.isLabel(name);
  }

  private dimension(name: string): Dimension | null {
    return this.plan.kind === 'rows' ? null : (this.plan.dimensions.find(({ label }) => label === name) ?? null);
  }

  /** Numbers that name something: a year, an order's number, a group. */
  private isLabel(name: string): boolean {
    if (this.dimension(name) !== null) return true;
    const column = this.facts.columns.find((one) => one.name === name);
    return column !== undefined && (column.identifies || column.words.includes('year') || column.words.at(-1) === 'id');
  }
}

function timeWords(iso: string, dimension: Dimension | null): string {
  return momentWords(iso, dimension?.kind === 'bucket' ? dimension.bucket : null);
}

function partWords({ part }: Dimension & { kind: 'part' }, value: number): string {
  if (part === 'weekday') return WEEKDAYS[value - 1] ?? String(value);
  if (part === 'month') return monthName(value - 1) || String(value);
  return `${String(value).padStart(2, '0')}:00`;
}
