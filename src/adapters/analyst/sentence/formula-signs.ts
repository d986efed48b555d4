import type { Piece } from '../pieces.js';
import type { TableFacts } from '../table-facts.js';
import { isSign } from '../tokens.js';
import { onlyColumnAt } from './column-mentions.js';
import { arithmeticAt } from './figures.js';
import { Line } from './line.js';

/** The longest name of a column, in words. */
const LONGEST_NAME = 6;

/** Leaves signs of arithmetic where they stand between figures, and brackets around such; all others only separate. */
export function withoutIdleSigns(tokens: readonly Piece[], facts: TableFacts, now: Date): readonly Piece[] {
  if (!tokens.some(isSign)) return tokens;
  const line = new Line(tokens, facts, now);
  const working = new Set(tokens.flatMap((_, at) => (isWorking(line, at) ? [at] : [])));
  for (const at of bracketsAround(line, working)) working.add(at);
  return tokens.filter((piece, at) => !isSign(piece) || working.has(at));
}

function isWorking(line: Line, at: number): boolean {
  const sign = line.is(at, 'per') ? null : arithmeticAt(line, at);
  if (sign === null) return false;
  const allowsNumber = sign.operator === '*' || sign.operator === '/';
  const isLeft = isFigureBefore(line, at) || (allowsNumber && line.number(at - 1) !== null);
  return isLeft && isFigureAfter(line, sign.next, allowsNumber);
}

function isFigureBefore(line: Line, at: number): boolean {
  if (line.is(at - 1, ')')) return true;
  for (let start = at - 1; start >= Math.max(at - LONGEST_NAME, 0); start -= 1) {
    const named = onlyColumnAt(line, start);
    if (named?.next === at) return named.column.role === 'figure';
  }
  return false;
}

function isFigureAfter(line: Line, at: number, allowsNumber: boolean): boolean {
  const place = line.skip(at, new Set(['(', 'the']));
  const number = line.number(place);
  if (number !== null) return allowsNumber || line.is(number.next, '*', '/');
  return onlyColumnAt(line, place)?.column.role === 'figure';
}

/** Brackets that belong together, with a sign between them that works. */
function bracketsAround(line: Line, working: ReadonlySet<number>): readonly number[] {
  const open: number[] = [];
  const found: number[] = [];
  for (let at = 0; at < line.end; at += 1) {
    if (line.is(at, '(')) open.push(at);
    const start = line.is(at, ')') ? open.pop() : undefined;
    if (start !== undefined && [...working].some((sign) => sign > start && sign < at)) found.push(start, at);
  }
  return found;
}
