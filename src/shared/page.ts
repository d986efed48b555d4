/** Which part of a list is wanted. `index` is zero-based. */
export interface Page {
  readonly index: number;
  readonly size: number;
}

export interface PageOf<T> {
  readonly entries: readonly T[];
  /** Entries in the whole list. */
  readonly total: number;
}

export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;

/** Reads a page from untrusted values; what can't be read is the first page, what is out of range the nearest bound. */
export function pageFrom(index: unknown, size: unknown): Page {
  const wanted = wholeNumber(size);
  return {
    index: Math.min(Math.max(wholeNumber(index) ?? 0, 0), 1_000_000),
    size: wanted === null ? DEFAULT_PAGE_SIZE : Math.min(Math.max(wanted, 1), MAX_PAGE_SIZE),
  };
}

function wholeNumber(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const parsed = Number(value === '' ? Number.NaN : value);
  return Number.isInteger(parsed) ? parsed : null;
}
