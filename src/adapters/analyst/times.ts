import { isoOf, type Range } from './calendar.js';
import { periodAt, yearOf, type Period, type TimeContext } from './periods.js';
import { keyOf, type Piece } from './pieces.js';
import type { TableFacts } from './table-facts.js';
import { AFTER, BEFORE, DURING, monthOf, SINCE, UNTIL } from './time-words.js';
import type { TimeBucket } from '../../ports/analysis-plan.js';

/** A range of time in milliseconds, half open; `null` is an open end. */
export interface Found {
  readonly from: number | null;
  readonly to: number | null;
  readonly unit: TimeBucket;
  readonly note: string | null;
  readonly next: number;
}

/** Reads dates, periods and ranges of time. */
export function readTimes(pieces: readonly Piece[], facts: TableFacts, now: Date): readonly Piece[] {
  const context = timeContext(facts, now);
  const out: Piece[] = [];
  let at = 0;
  while (at < pieces.length) {
    const found = rangeAt(pieces, at, context);
    const kept = pieces[at];
    if (found !== null) out.push(timePiece(found, pieces.slice(at, found.next)));
    else if (kept !== undefined) out.push(kept);
    at = found?.next ?? at + 1;
  }
  return out;
}

/** Without a time of its own a table can still have a year in each row. */
export function timeContext(facts: TableFacts, now: Date): TimeContext {
  const range = facts.profile.timeRange;
  if (facts.time !== null && range !== null) {
    return { now: now.getTime(), first: Date.parse(range.from), last: Date.parse(range.to) };
  }
  const year = facts.yearColumn?.profile;
  if (typeof year?.min === 'number' && typeof year.max === 'number') {
    return { now: now.getTime(), first: Date.UTC(year.min, 0, 1), last: Date.UTC(year.max, 11, 31) };
  }
  return { now: now.getTime(), first: now.getTime(), last: now.getTime() };
}

function timePiece(found: Found, pieces: readonly Piece[]): Piece {
  return {
    kind: 'time',
    from: found.from === null ? null : isoOf(found.from),
    to: found.to === null ? null : isoOf(found.to),
    unit: found.unit,
    note: found.note,
    text: pieces.map(({ text }) => text).join(' '),
  };
}

/** The range of time that begins here with the word that opens it; `next` is the place after it. */
export function rangeAt(pieces: readonly Piece[], at: number, context: TimeContext): Found | null {
  const word = keyOf(pieces[at]) ?? '';
  if (word === 'between' || SINCE.has(word)) {
    return twoEnded(pieces, at + 1, context) ?? oneEnded(pieces, at, word, context);
  }
  return oneEnded(pieces, at, word, context) ?? spanned(pieces, at, context) ?? bare(pieces, at, context);
}

/** `between 2012 and 2013`, `from March to May 2014`: both ends belong to it. `at`: where the first begins. */
function twoEnded(pieces: readonly Piece[], at: number, context: TimeContext): Found | null {
  const join = endOfFirst(pieces, at, context);
  const second = join === null ? null : periodAt(pieces, join + 1, context);
  const isNumbers = keyOf(pieces[at - 1]) === 'between' && followsFigure(pieces, at - 1);
  if (second === null || isNumbers) return null;
  const first = firstOf(pieces, at, second, context);
  if (first === null || first.from > second.from) return null;
  return { from: first.from, to: second.to, unit: second.unit, note: first.note ?? second.note, next: second.next };
}

/** `2012 to 2014` with nothing before it, unless the one is compared to the other. */
function spanned(pieces: readonly Piece[], at: number, context: TimeContext): Found | null {
  const compares = pieces.slice(0, at).some((piece) => keyOf(piece)?.startsWith('compar') === true);
  const first = compares ? null : periodAt(pieces, at, context);
  return first !== null && UNTIL.has(keyOf(pieces[first.next]) ?? '') ? twoEnded(pieces, at, context) : null;
}

/** Where the `and` or `to` between the two ends stands. */
function endOfFirst(pieces: readonly Piece[], at: number, context: TimeContext): number | null {
  const end = dayAlone(pieces, at)?.next ?? periodAt(pieces, at, context)?.next ?? monthAlone(pieces, at);
  return end !== null && joinsEnds(pieces[end]) ? end : null;
}

function joinsEnds(piece: Piece | undefined): boolean {
  const word = keyOf(piece) ?? '';
  return word === 'and' || UNTIL.has(word);
}

function monthAlone(pieces: readonly Piece[], at: number): number | null {
  return monthOf(keyOf(pieces[at])) === null ? null : at + 1;
}

interface DayOfYear {
  readonly day: number;
  readonly month: number;
  readonly next: number;
}

/** `1 March` and `March 1` of no year. */
function dayAlone(pieces: readonly Piece[], at: number): DayOfYear | null {
  for (const [dayPlace, monthPlace] of [
    [at, at + 1],
    [at + 1, at],
  ] as const) {
    const month = monthOf(keyOf(pieces[monthPlace]));
    const day = dayIn(pieces[dayPlace]);
    if (month !== null && day !== null) return yearOf(pieces[at + 2]) === null ? { day, month, next: at + 2 } : null;
  }
  return null;
}

function dayIn(piece: Piece | undefined): number | null {
  const isDay = piece?.kind === 'number' && Number.isInteger(piece.value) && piece.value >= 1 && piece.value <= 31;
  return isDay ? piece.value : null;
}

/** A month without a year has that of the second end: from March to May 2014. */
function firstOf(
  pieces: readonly Piece[],
  at: number,
  second: Period,
  context: TimeContext,
): (Range & { note: string | null }) | null {
  const only = dayAlone(pieces, at);
  if (only !== null) {
    const from = Date.UTC(new Date(second.from).getUTCFullYear(), only.month, only.day);
    return { from, to: from, note: null };
  }
  const month = monthOf(keyOf(pieces[at]));
  const alone = month !== null && yearOf(pieces[at + 1]) === null;
  if (!alone) return periodAt(pieces, at, context);
  const from = Date.UTC(new Date(second.from).getUTCFullYear(), month, 1);
  return { from, to: from, note: null };
}

/** `price between 2000 and 2100` is no time. */
function followsFigure(pieces: readonly Piece[], at: number): boolean {
  const before = pieces
    .slice(0, at)
    .findLast((piece) => !(piece.kind === 'word' && /^(is|was|are|were)$/.test(piece.key)));
  return before?.kind === 'column' && before.column.role === 'figure';
}

function oneEnded(pieces: readonly Piece[], at: number, word: string, context: TimeContext): Found | null {
  const ends = endsOf(word);
  if (ends === null) return null;
  const skip = keyOf(pieces[at + 1]) === 'the' || keyOf(pieces[at + 1]) === 'year' ? 1 : 0;
  const span = DURING.has(word) ? spanned(pieces, at + 1 + skip, context) : null;
  if (span !== null) return span;
  const period = periodAt(pieces, at + 1 + skip, context);
  if (period === null) return null;
  const { unit, note, next } = period;
  return { ...ends(period), unit, note, next };
}

type Ends = (period: Period) => { readonly from: number | null; readonly to: number | null };

function endsOf(word: string): Ends | null {
  if (SINCE.has(word)) return ({ from }) => ({ from, to: null });
  if (AFTER.has(word)) return ({ to }) => ({ from: to, to: null });
  if (BEFORE.has(word)) return ({ from }) => ({ from: null, to: from });
  // `compared to 2014` is no end of a range.
  if (UNTIL.has(word) && word !== 'to') return ({ to }) => ({ from: null, to });
  if (DURING.has(word)) return ({ from, to }) => ({ from, to });
  return null;
}

const COMPARES = /^(over|above|under|below|than|least|most|exactly|equal|equals|exceeds?|>|<|>=|<=|=|!=)$/;

/** A year on its own is one only where nothing is compared with it. */
function bare(pieces: readonly Piece[], at: number, context: TimeContext): Found | null {
  const before = keyOf(pieces[at - 1]) ?? '';
  if (yearOf(pieces[at]) !== null && (COMPARES.test(before) || /^(top|bottom|last|first)$/.test(before))) return null;
  if (keyOf(pieces[at]) === 'may') return null;
  return periodAt(pieces, at, context);
}
