import { refused } from './gate-json.js';

/** How large a value can become. */
export interface Extent {
  /** Of a text in it. */
  readonly chars: number;
  /** Values that it holds, its lists and documents counted through. */
  readonly items: number;
  /** Values that one of its elements holds. */
  readonly inner: number;
}

/** A number, a time, a truth or nothing. */
export const SCALAR: Extent = { chars: 32, items: 0, inner: 0 };
/** A list that was gathered over rows: what the server's memory for it can hold. */
export const MOST_GATHERED = 1_000_000;
/** Texts of cells are cut to so many characters before a pipeline that writes texts. */
export const LONGEST_CELL = 2000;
/** A text may not be longer. */
const LONGEST_TEXT = 4_000_000;
/** So much may one document cost: characters written, values put into lists, steps of expressions. */
const MOST_CHARS = 20_000_000;
const MOST_ITEMS = 4_000_000;
const MOST_STEPS = 40_000_000;

/**
 * Counts what one document can cost a pipeline at most. The server bounds what its stages gather, the time, and a single text, but
 * not what an expression builds out of one row.
 */
export class GateBudget {
  private chars = 0;
  private items = 0;
  private steps = 0;
  private writes = false;

  /** Whether any text is written: then cells have to be short. */
  get writesText(): boolean {
    return this.writes;
  }

  spendSteps(count: number): void {
    this.steps += count;
    if (this.steps > MOST_STEPS) throw tooMuch('too many steps');
  }

  spendText(chars: number, times: number): void {
    this.writes = true;
    this.chars += chars * times;
    if (chars > LONGEST_TEXT || this.chars > MOST_CHARS) throw tooMuch('too much text');
  }

  spendItems(items: number, times: number): void {
    this.items += items * times;
    if (items > MOST_ITEMS || this.items > MOST_ITEMS) throw tooMuch('lists that are too long');
  }
}

/** As large as the largest. */
export function joined(extents: readonly Extent[]): Extent {
  return {
    chars: extents.reduce((most, { chars }) => Math.max(most, chars), 0),
    items: extents.reduce((most, { items }) => Math.max(most, items), 0),
    inner: extents.reduce((most, { inner }) => Math.max(most, inner), 0),
  };
}

/** A list or a document of these. */
export function holding(extents: readonly Extent[]): Extent {
  const { chars, items } = joined(extents);
  return { chars, items: itemsOf(extents) + extents.length, inner: items };
}

/** A list of so many of these. */
export function listOf(count: number, element: Extent): Extent {
  return { chars: element.chars, items: count * (1 + element.items), inner: element.items };
}

/** A list that was gathered over rows. */
export function gatheredOf(element: Extent): Extent {
  return { chars: element.chars, items: MOST_GATHERED, inner: element.items };
}

export function textOf(chars: number): Extent {
  return { chars, items: 0, inner: 0 };
}

export function itemsOf(extents: readonly Extent[]): number {
  return extents.reduce((sum, { items }) => sum + items, 0);
}

export function charsOf(extents: readonly Extent[]): number {
  return extents.reduce((sum, { chars }) => sum + chars, 0);
}

function tooMuch(what: string): Error {
  return refused(
    `for one row it can come to ${what}: cut lists first with {"$slice": [list, 100]}, or $unwind them and go on row by row`,
  );
}
