import papa from 'papaparse';

/** What a spreadsheet would run; a plain number with its sign is none. */
const FORMULA = /^(?![+-]?[.,]?\d[\d.,]*(?:e[+-]?\d+)?$)[=+\-@\t\r]/i;

/** A text as a spreadsheet may be given it: what it would run as a formula has an apostrophe before it; numbers stay as they are. */
export function formulaSafe(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** One record of a CSV file (RFC 4180) with its line break. Formula-safe. */
export function csvRecord(fields: readonly string[]): string {
  return `${papa.unparse([fields.map(formulaSafe)], { newline: '\r\n' })}\r\n`;
}
