import type { Filter } from '../../../ports/analysis-plan.js';
import type { Piece } from '../pieces.js';
import type { Clause } from './clause.js';

export interface MissingRead {
  readonly clause: Clause;
  readonly filters: readonly Filter[];
  /** Rows without a value are to be left out, of whichever columns the question is about. */
  readonly dropsMissing: boolean;
}

/** `excluding rows with missing age`, and `of passengers with a missing age` beside another statistic, are conditions. */
export function missingConditions(said: Clause): MissingRead {
  const clause = said.has('share', 'removing') ? withoutValues(said) : said;
  const lacks = clause.all('removing').length > 1;
  if ((!clause.has('missing', 'any missing') && !lacks) || clause.has('fill'))
    return { clause, filters: [], dropsMissing: false };
  if (clause.has('removing')) return removed(clause);
  const isBeside = clause.has('figure', 'relation', 'regression', 'test', 'describe') && !clause.has('outliers');
  if (!isBeside) return { clause, filters: [], dropsMissing: false };
  const pieces = clause.pieces.map((piece): Piece =>
    clause.markOf(piece)?.kind === 'missing' ? { kind: 'empty', negated: false, text: piece.text } : piece,
  );
  return { clause: clause.with(pieces), filters: [], dropsMissing: false };
}

/** `a is missing`, `a is not missing`, where a condition is all that is said. */
export function withEmpty(clause: Clause): Clause {
  const isMissing = (piece: Piece | undefined): boolean => clause.markOf(piece)?.kind === 'missing';
  const pieces = clause.pieces.flatMap((piece, place, all): readonly Piece[] => {
    if (piece.kind === 'negation' && isMissing(all[place + 1])) return [];
    if (!isMissing(piece)) return [piece];
    return [{ kind: 'empty', negated: all[place - 1]?.kind === 'negation', text: piece.text }];
  });
  return clause.with(pieces);
}

const LACKS = /^(?:no|lacks?|lacking|misses)$/iu;

/** `has no height`, `lacks a height`: of a column of numbers that is missing somewhere. */
function withoutValues(clause: Clause): Clause {
  const pieces = clause.pieces.map((piece, place): Piece => {
    if (clause.markOf(piece) !== null || !LACKS.test(piece.text)) return piece;
    const next = clause.pieces
      .slice(place + 1)
      .find(({ kind, text }) => kind !== 'filler' || !/^(?:an?|the|any)$/iu.test(text));
    const lacks = next?.kind === 'column' && next.column.role === 'figure' && next.column.profile.nulls > 0;
    return lacks ? { kind: 'empty', negated: false, text: piece.text } : piece;
  });
  return clause.with(pieces);
}

function removed(clause: Clause): MissingRead {
  const said = clause.pieces.filter((piece) => piece.kind !== 'filler' || clause.markOf(piece) !== null);
  const taken = new Set<Piece>();
  const filters: Filter[] = [];
  for (const [place, piece] of said.entries()) {
    if (!speaksOfMissing(piece, clause)) continue;
    taken.add(piece);
    for (const column of columnsBeside(said, place, clause)) {
      taken.add(column.piece);
      filters.push({ kind: 'null', column: column.name, negated: true });
    }
    takeRemoval(said, place, clause, taken);
    takeJoin(said, place, taken);
  }
  return {
    clause: clause.with(clause.pieces.filter((piece) => !taken.has(piece))),
    filters,
    dropsMissing: filters.length === 0,
  };
}

function speaksOfMissing(piece: Piece, clause: Clause): boolean {
  const kind = clause.markOf(piece)?.kind;
  if (kind === 'missing' || kind === 'any missing') return true;
  return kind === 'removing' && /^without$/i.test(piece.text) && clause.all('removing').length > 1;
}

interface Beside {
  readonly piece: Piece;
  readonly name: string;
}

/** The columns right after it (`missing a or b`), else the one right before (`where a is missing`). */
function columnsBeside(said: readonly Piece[], place: number, clause: Clause): readonly Beside[] {
  const after = columnsFrom(said.slice(place + 1));
  const before = said[place - 1];
  if (after.length > 0 || before?.kind !== 'column') return after;
  const wasRemoved = said.slice(0, place).some((piece) => isRemoval(piece, clause));
  return wasRemoved ? [{ piece: before, name: before.column.name }] : [];
}

function columnsFrom(said: readonly Piece[]): readonly Beside[] {
  const found: Beside[] = [];
  for (const piece of said) {
    if (piece.kind === 'column') found.push({ piece, name: piece.column.name });
    else if (piece.kind !== 'join' || piece.text === ',' || found.length === 0) break;
  }
  return found;
}

/** The `removing` before it, with the rows it speaks of; `rows with missing age are dropped` has it behind. */
function takeRemoval(said: readonly Piece[], place: number, clause: Clause, taken: Set<Piece>): void {
  const before = said.slice(0, place);
  const from = before.findLastIndex((piece) => isRemoval(piece, clause));
  for (const piece of before.slice(Math.max(from, 0))) {
    if (isRemoval(piece, clause) || piece.kind === 'rows' || piece.kind === 'negation') taken.add(piece);
  }
  const after = from < 0 ? said.slice(place + 1).find((piece) => isRemoval(piece, clause)) : undefined;
  if (after !== undefined) taken.add(after);
}

/** The `or` of `missing a or missing b`. */
function takeJoin(said: readonly Piece[], place: number, taken: Set<Piece>): void {
  const [other, join] = said.slice(Math.max(place - 2, 0), place);
  if (join?.kind === 'join' && other !== undefined && taken.has(other)) taken.add(join);
}

function isRemoval(piece: Piece, clause: Clause): boolean {
  return clause.markOf(piece)?.kind === 'removing';
}
