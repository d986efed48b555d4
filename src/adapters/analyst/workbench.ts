import type { Aggregate, Filter, Having } from '../../ports/analysis-plan.js';
import type { DimensionDraft, MeasureDraft } from '../../analyst/reading/draft.js';
import type { Piece, PieceKind, PieceOf } from './pieces.js';
import type { TableFacts } from './table-facts.js';
import type { ColumnFacts } from './column-facts.js';

export interface Problem {
  readonly text: string;
  /** `cannot`: no other wording would help. */
  readonly verdict: 'clarify' | 'cannot';
}

/**
 * The pieces of one question while they are put together. Each piece is taken once, by the rule that understands it;
 * what nobody took in the end is why a question is not answered.
 */
export class Workbench {
  readonly filters: Filter[] = [];
  readonly having: Having[] = [];
  readonly measures: MeasureDraft[] = [];
  readonly dimensions: DimensionDraft[] = [];
  readonly notes: string[] = [];
  readonly problems: Problem[] = [];
  /** Aggregates without a column, as in `and the minimum?`. */
  readonly orphans: Aggregate[] = [];
  private readonly taken = new Set<number>();

  constructor(
    readonly items: readonly Piece[],
    readonly facts: TableFacts,
  ) {}

  take(...places: readonly (number | null)[]): void {
    for (const place of places) if (place !== null) this.taken.add(place);
  }

  isFree(place: number): boolean {
    return this.items[place] !== undefined && !this.taken.has(place);
  }

  /** The free piece here, if it is of this kind. */
  at<K extends PieceKind>(place: number | null, kind: K): PieceOf<K> | null {
    const piece = place === null || !this.isFree(place) ? undefined : this.items[place];
    return piece?.kind === kind ? (piece as PieceOf<K>) : null;
  }

  /** The nearest free place after this one. */
  after(place: number): number | null {
    for (let next = place + 1; next < this.items.length; next += 1) if (this.isFree(next)) return next;
    return null;
  }

  before(place: number): number | null {
    for (let next = place - 1; next >= 0; next -= 1) if (this.isFree(next)) return next;
    return null;
  }

  /** The next free place, if a piece of this kind lies there. */
  next(place: number | null, kind: PieceKind): number | null {
    const after = place === null ? null : this.after(place);
    return this.at(after, kind) === null ? null : after;
  }

  /** The free place before, if a piece of this kind lies there. */
  previous(place: number | null, kind: PieceKind): number | null {
    const before = place === null ? null : this.before(place);
    return this.at(before, kind) === null ? null : before;
  }

  /** The free places on both sides. */
  beside(place: number): readonly (number | null)[] {
    return [this.before(place), this.after(place)];
  }

  /** Free places of this kind, from left to right. */
  places(...kinds: readonly PieceKind[]): readonly number[] {
    return this.items.flatMap((piece, place) => (kinds.includes(piece.kind) && this.isFree(place) ? [place] : []));
  }

  first(...kinds: readonly PieceKind[]): number | null {
    return this.places(...kinds)[0] ?? null;
  }

  has(...kinds: readonly PieceKind[]): boolean {
    return this.first(...kinds) !== null;
  }

  /** Whether the question says so anywhere, taken or not. */
  says(kind: PieceKind): boolean {
    return this.items.some((piece) => piece.kind === kind);
  }

  column(place: number | null): ColumnFacts | null {
    return this.at(place, 'column')?.column ?? null;
  }

  isCategory(place: number | null): boolean {
    const role = this.column(place)?.role;
    return role === 'category' || role === 'boolean';
  }

  isFigure(place: number | null): boolean {
    return this.column(place)?.role === 'figure';
  }

  figures(): readonly number[] {
    return this.places('column').filter((place) => this.isFigure(place));
  }

  categories(): readonly number[] {
    return this.places('column').filter((place) => this.isCategory(place));
  }

  /** Under a `by` or `per`, directly or in a row of such. */
  isGrouped(place: number): boolean {
    if (this.previous(place, 'group') !== null) return true;
    const join = this.previous(place, 'join');
    const further = join === null ? null : this.before(join);
    return further !== null && this.canGroup(further) && this.isGrouped(further);
  }

  canGroup(place: number | null): boolean {
    return this.isCategory(place) || this.at(place, 'bucket') !== null || this.at(place, 'part') !== null;
  }

  /** The first filter by two or more values of a column. */
  severalValues(): string | null {
    const several = this.filters.find((one) => one.kind === 'in' && !one.negated && one.values.length > 1);
    return several?.kind === 'in' ? several.column : null;
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  problem(text: string, verdict: Problem['verdict'] = 'clarify'): void {
    this.problems.push({ text, verdict });
  }
}
