import {
  asPattern,
  type Layout,
  mostFrequent,
  type SplitLimits,
  type SplitText,
  splitText,
  type TextLines,
} from './inspect-records.js';

/** A way to read a text, and what comes of it. */
export interface Reading {
  readonly layout: Layout;
  readonly split: SplitText;
}

const RARE_QUOTES: readonly string[] = ["'", '`', '´', '$', '%', '^', '~', '*', '#', '@', '!', '/'];
const RARE_ESCAPES: readonly string[] = ['\\', '/', '^', '~', '?', '%', '#', '$', '!', '&', '@', '*', "'"];
/** Fewer may be wrapped by chance. */
const LEAST_WRAPPED = 2;
const BROKEN_SHARE = 0.05;

type SplitAs = (layout: Layout) => SplitText;

/**
 * How cells are quoted between delimiters of one kind. Where nothing is quoted it is the quotation mark, so that a later cell may be; it is nothing
 * where the quotation marks that begin cells close none.
 */
export function quotingOf(lines: TextLines, delimiter: string, limits: Partial<SplitLimits>): Reading {
  const split = (layout: Layout): SplitText => splitText(lines, layout, limits);
  const marks = withEscape(lines.text, readAs(split, { delimiter, quote: '"', escape: '"', trims: false }), split);
  const other = otherQuote(lines.text, delimiter, split);
  const isMarked = marks.split.quoted > marks.split.faults.length;
  if (other !== null && (!isMarked || isSurer(other.split, marks.split))) return withEscape(lines.text, other, split);
  if (isMarked || isRarelyBroken(marks.split)) return marks;
  return readAs(split, { delimiter, quote: '', escape: '', trims: false });
}

/** A quote that nobody closes here or there does not mean that there are none. */
function isRarelyBroken({ rows, faults }: SplitText): boolean {
  return faults.length < Math.max(2, rows.length * BROKEN_SHARE);
}

/** Beside quotation marks that are quoted themselves, the other quote wraps more and leaves rows that are more alike. */
function isSurer(one: SplitText, other: SplitText): boolean {
  return one.quoted > other.quoted && likeness(one) > likeness(other);
}

function likeness({ rows, faults }: SplitText): number {
  const lengths = rows.map(({ cells }) => cells.length);
  const usual = mostFrequent(lengths);
  return lengths.filter((length) => length === usual).length / Math.max(1, lengths.length + faults.length);
}

function readAs(split: SplitAs, layout: Layout): Reading {
  return { layout, split: split(layout) };
}

function otherQuote(text: string, delimiter: string, split: SplitAs): Reading | null {
  for (const quote of RARE_QUOTES) {
    if (delimiter.includes(quote) || !isWrapping(text, quote, delimiter)) continue;
    const plain = readAs(split, { delimiter, quote, escape: quote, trims: false });
    const reading = quote === "'" ? withEscape(text, plain, split) : plain;
    if (isQuote(reading, quote)) return reading;
  }
  return null;
}

/** A quick look for cells in the middle of a line. */
function isWrapping(text: string, quote: string, delimiter: string): boolean {
  return text.includes(quote + delimiter) || text.includes(delimiter + quote);
}

function isQuote({ split }: Reading, quote: string): boolean {
  const { quoted, faults, rows } = split;
  if (quote === "'") return quoted >= LEAST_WRAPPED && quoted > faults.length;
  // Prices begin with a sign, and tables of pipes have one at each side: a rare quote must be everywhere, or needed.
  const cells = rows.reduce((total, row) => total + row.cells.length, 0);
  return quoted > LEAST_WRAPPED && quoted > faults.length * 5 && (quoted > cells * 0.1 || faults.length === 0);
}

/** With the escape that leaves the fewest lines unread. */
function withEscape(text: string, found: Reading, split: SplitAs): Reading {
  let best = found;
  for (const escape of escapesIn(text, found)) {
    const other = readAs(split, { ...found.layout, escape });
    if (isBetter(other.split, best.split) || isOnlyEscape(text, other, best)) best = other;
  }
  return best;
}

/** All but the backslash are only thought of where something is wrong without. */
function escapesIn(text: string, { layout, split }: Reading): readonly string[] {
  const { quote, delimiter } = layout;
  const thought = split.faults.length === 0 ? ['\\'] : RARE_ESCAPES;
  return thought.filter((sign) => sign !== quote && !delimiter.includes(sign) && text.includes(sign + quote));
}

function isBetter(one: SplitText, other: SplitText): boolean {
  return one.faults.length < other.faults.length && one.quoted > 0;
}

/** Both read the text, but quotes are never doubled in it. */
function isOnlyEscape(text: string, { layout, split }: Reading, best: Reading): boolean {
  if (layout.escape !== '\\' || split.faults.length > best.split.faults.length || split.quoted === 0) return false;
  const [quote = '', delimiter = ''] = [layout.quote, layout.delimiter].map(asPattern);
  const isDoubled = new RegExp(`[^\\n\\r${quote}${delimiter}]${quote}${quote}[^${quote}]`).test(text);
  return !isDoubled && split.rows.some(({ cells }) => cells.some((cell) => cell.includes(layout.quote)));
}
