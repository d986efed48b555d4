import type { Answer } from './assistant.queries.js';

/** Gives the browser a file to keep. */
export function save(filename: string, content: Blob): void {
  const link = document.createElement('a');
  const url = URL.createObjectURL(content);
  link.href = url;
  link.download = filename;
  link.click();
  // The browser has taken it by then.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}

const NEEDS_QUOTES = /[",\r\n]/;
/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** RFC 4180, with a mark of UTF-8, without which spreadsheets read umlauts wrong. */
export function csvOf({ columns, rows }: NonNullable<Answer['data']>): Blob {
  const lines = [columns, ...rows].map((cells) => cells.map(cellText).join(','));
  return new Blob([`\ufeff${lines.join('\r\n')}\r\n`], { type: 'text/csv;charset=utf-8' });
}

function cellText(cell: string | number | boolean | null): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
