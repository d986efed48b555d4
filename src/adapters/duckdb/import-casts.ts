import { NULL_MARKERS } from '../../shared/null-markers.js';
import type { TableColumn } from './plan-compiler.columns.js';
import { quotedText } from './sandbox-names.js';

/** How one column of a table is read from one column of texts, as SQL. */
export interface ColumnReading {
  /** The typed value, computed once, under this name. */
  readonly cast: { readonly expression: string; readonly name: string } | null;
  /** What is stored. */
  readonly stored: string;
  /** True when the text is a value of the type; null when every text is. */
  readonly fits: string | null;
  /** Numbers are checked together first: a sum is finite only when all its parts are. */
  readonly quick: { readonly sum: string | null; readonly whole: string | null } | null;
  /** True when the text is a value but needs a wider type: a fraction in a column of whole numbers. */
  readonly isWider: string | null;
}

const MARKERS = `(${NULL_MARKERS.map(quotedText).join(', ')})`;
const EXACT = 2 ** 53;
const BIGGEST = '9223372036854775808.0';

/** True when the cell is empty or says that there is no value. */
export function isNullMarker(text: string): string {
  return `${text} IN ${MARKERS}`;
}

export function columnReading(column: TableColumn, text: string, decimal: '.' | ','): ColumnReading {
  const name = `v${column.physical}`;
  switch (column.type) {
    case 'text':
      return { cast: null, stored: `nullif(${text}, '')`, fits: null, quick: null, isWider: null };
    case 'number':
      return numberReading(name, plainNumber(text, decimal));
    case 'integer':
      return integerReading(name, plainNumber(text, decimal));
    case 'boolean':
      return otherReading(name, `TRY_CAST(${text} AS BOOLEAN)`, `${name} IS NOT NULL`);
    case 'time':
      return otherReading(name, `timezone('UTC', TRY_CAST(${text} AS TIMESTAMPTZ))`, `isfinite(${name})`);
  }
}

function numberReading(name: string, text: string): ColumnReading {
  return {
    cast: { expression: `TRY_CAST(${text} AS DOUBLE)`, name },
    stored: `CASE WHEN isfinite(${name}) THEN ${name} END`,
    fits: `isfinite(${name})`,
    quick: { sum: name, whole: null },
    isWider: null,
  };
}

/** Read as a DOUBLE, because a cast to whole numbers would round a fraction away; large ones are read again exactly. */
function integerReading(name: string, text: string): ColumnReading {
  const whole = `(${name} = floor(${name}) AND abs(${name}) < ${BIGGEST})`;
  return {
    cast: { expression: `TRY_CAST(${text} AS DOUBLE)`, name },
    stored: `CASE WHEN abs(${name}) < ${EXACT} THEN CAST(${name} AS BIGINT) ELSE TRY_CAST(${text} AS BIGINT) END`,
    fits: whole,
    quick: { sum: null, whole },
    isWider: `isfinite(${name})`,
  };
}

/** Anything can become text, so nothing is lost when the type was a wrong guess. */
function otherReading(name: string, expression: string, fits: string): ColumnReading {
  return { cast: { expression, name }, stored: name, fits, quick: null, isWider: 'true' };
}

const GROUPED = String.raw`\s*[+-]?\d{1,3}(\.\d{3})+(,\d+)?\s*`;

/** With a decimal comma a point may only part groups of three digits: `1.5` is no number there, and not fifteen. */
function plainNumber(text: string, decimal: '.' | ','): string {
  if (decimal === '.') return text;
  const grouped = `CASE WHEN regexp_full_match(${text}, ${quotedText(GROUPED)}) THEN replace(replace(${text}, '.', ''), ',', '.') END`;
  return `(CASE WHEN contains(${text}, '.') THEN ${grouped} ELSE replace(${text}, ',', '.') END)`;
}
