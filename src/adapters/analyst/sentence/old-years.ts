import type { TableFacts } from '../table-facts.js';
import { isYear } from '../year-columns.js';
import type { Line } from './line.js';

/** Before this a bare number is rather something else than a year. */
const FIRST_PLAIN = 1900;
const OPENS = ['before', 'after', 'since', 'until', 'in', 'during', 'between', 'from'];
const BARE_AFTER = ['in', 'of', 'during', 'year'];
const JOINS: Readonly<Record<string, readonly string[]>> = { between: ['and'], from: ['to', 'until'] };
const SMALL = new Set(['the', 'year']);

interface Years {
  readonly from: number | null;
  readonly to: number | null;
  readonly next: number;
}

/** `before 1800`, `in 1750`, `between 1700 and 1800`: years before 1900, where a column holds such. */
export function oldYearsAt(line: Line, facts: TableFacts, at: number): Years | null {
  if (!facts.columns.some((column) => isYear(column) && Number(column.profile.min) < FIRST_PLAIN)) return null;
  const opens = line.is(at, ...OPENS) ? line.key(at) : null;
  if (opens === null && !line.is(at - 1, ...BARE_AFTER)) return null;
  const first = yearAt(line, opens === null ? at : line.skip(at + 1, SMALL));
  return first === null || first.year >= FIRST_PLAIN ? null : yearsFrom(line, opens, first);
}

function yearsFrom(line: Line, opens: string | null, first: YearSaid): Years | null {
  const isJoined = line.is(first.next, ...(JOINS[opens ?? ''] ?? []));
  const last = isJoined ? yearAt(line, first.next + 1) : null;
  if (opens === 'between' && last === null) return null;
  const end = last ?? first;
  const whole = { from: Date.UTC(first.year, 0, 1), to: Date.UTC(end.year + 1, 0, 1) };
  return { ...(last === null ? endsOf(opens, whole) : whole), next: end.next };
}

function endsOf(opens: string | null, { from, to }: YearsWhole): Omit<Years, 'next'> {
  if (opens === 'before') return { from: null, to: from };
  if (opens === 'until') return { from: null, to };
  if (opens === 'after') return { from: to, to: null };
  return opens === 'since' || opens === 'from' ? { from, to: null } : { from, to };
}

interface YearsWhole {
  readonly from: number;
  readonly to: number;
}

interface YearSaid {
  readonly year: number;
  readonly next: number;
}

function yearAt({ tokens }: Line, at: number): YearSaid | null {
  const piece = tokens[at];
  const isYearSaid = piece?.kind === 'number' && piece.unit === null && /^(?:1\d|20)\d\d$/.test(piece.text);
  return isYearSaid ? { year: piece.value, next: at + 1 } : null;
}
