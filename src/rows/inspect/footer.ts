import type { CsvFooter } from '../../ports/csv-inspector.js';
import { type DecimalSign, plainNumber } from '../../shared/number-notation.js';
import type { Row } from './records.js';
import { unitOf } from './types.js';

/** Rows at the end that may sum up those above them. */
const MOST_ROWS = 3;
const LEAST_ABOVE = 2;
/** Figures are rounded before they are summed up, or after. */
const ROUNDED = 1 / 1000;
const LABEL =
  /^(?:(?:grand |sub)?totals?|sum|averages?|mean|Σ|(?:gesamt|end)?summe|gesamt(?:ergebnis)?|insgesamt|durchschnitt|mittelwert) ?:?$/i;

/** The rows of a table, how its numbers are written, and whether all rows are here. */
interface TableRows {
  readonly rows: readonly Row[];
  readonly decimal: DecimalSign;
  readonly isWhole: boolean;
}

/**
 * The last rows that sum up those above them: they are called so, in a column that says it nowhere else, and have a sum of a column, or leave a cell
 * empty that every other row fills. `Total` in a full row without a sum is a name as any other.
 */
export function footerOf({ rows, decimal, isWhole }: TableRows): CsvFooter | undefined {
  const last = rows.slice(-MOST_ROWS);
  const column = Math.max(...last.map((row) => row.findIndex(isLabel)));
  const labelled = last.filter((row) => isLabel(row[column] ?? ''));
  const above = rows.filter((row) => !labelled.includes(row));
  if (labelled.length === 0 || above.length < LEAST_ABOVE || above.some((row) => isLabel(row[column] ?? '')))
    return undefined;
  const isProven = (row: Row): boolean =>
    row.some((cell, index) => {
      if (index === column) return false;
      const values = above.map((other) => other[index] ?? '');
      if (cell.trim() === '') return values.every((value) => value.trim() !== '');
      return isWhole && isSum(cell, values, decimal);
    });
  const labels = labelled.filter(isProven).map((row) => row[column] ?? '');
  return labels.length === 0 ? undefined : { column, labels };
}

export function isFooter(row: Row, footer: CsvFooter | undefined): boolean {
  return footer?.labels.includes(row[footer.column] ?? '') ?? false;
}

function isLabel(cell: string): boolean {
  return LABEL.test(cell.trim());
}

function isSum(cell: string, values: readonly string[], decimal: DecimalSign): boolean {
  const unit = unitOf([cell, ...values], decimal);
  const numberIn = (text: string): number => Number(plainNumber(text, decimal, unit) ?? 0);
  const value = numberIn(cell);
  const sum = values.reduce((total, text) => total + numberIn(text), 0);
  return value !== 0 && Math.abs(sum - value) <= Math.abs(value) * ROUNDED;
}
