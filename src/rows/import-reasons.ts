/** Why a record is no row, in the words of a report. */
export const REASONS = {
  fewer: 'fewer fields than the header',
  more: 'more fields than the header',
  noTime: 'no timestamp',
  badTime: 'the timestamp does not fit the layout',
  noMeta: 'no value in the metadata field',
  quote: 'a quote is not closed or not doubled',
  bytes: 'invalid bytes',
  length: 'the line is too long',
} as const;

export function notANumber(column: string): string {
  return `not a number in "${column}"`;
}

/** Codes of misfits in a query: the general ones below, a column's own from here on. */
const COLUMN_CODES = 1000;
const WIDER_CODES = 1_000_000;

const GENERAL = ['fewer', 'more', 'noTime', 'badTime', 'noMeta'] as const;

export type MisfitKind = (typeof GENERAL)[number] | { readonly column: number; readonly wider: boolean };

export function codeOf(kind: MisfitKind): number {
  if (typeof kind === 'string') return GENERAL.indexOf(kind);
  return (kind.wider ? WIDER_CODES : COLUMN_CODES) + kind.column;
}

export function kindOf(code: number): MisfitKind {
  if (code >= WIDER_CODES) return { column: code - WIDER_CODES, wider: true };
  if (code >= COLUMN_CODES) return { column: code - COLUMN_CODES, wider: false };
  return GENERAL[code] ?? 'fewer';
}
