import type { Comparison, DerivedColumn, Filter } from '../../../ports/analysis-plan.js';
import type { ColumnFacts, Direction } from '../column-facts.js';
import type { ComputedDraft, DimensionDraft, MeasureDraft, SummaryDraft } from '../../../analyst/reading/draft.js';
import type { Line } from './line.js';

/** What is ranked by: a column (with what is done to it where groups are ranked), a count, or what the rest of the question says. */
export type RankBy =
  | { readonly kind: 'column'; readonly column: string; readonly measure: MeasureDraft | null }
  | { readonly kind: 'count' }
  | { readonly kind: 'open' };

export interface Rank {
  readonly direction: Direction;
  readonly limit: number | null;
  /** `second highest` passes over one. */
  readonly skip?: number | undefined;
  readonly by: RankBy;
  /** The superlative itself, for what is said about it. */
  readonly text: string;
  /** Said as `highest`, which may mean the figure alone; an adjective or `most` always picks something. */
  readonly literal: boolean;
}

/** What an order is by; `open`: the figure or the first column of the answer. */
export interface OrderKey {
  readonly by:
    | { readonly kind: 'column'; readonly column: string }
    | { readonly kind: 'measure'; readonly measure: MeasureDraft }
    | { readonly kind: 'open' };
  readonly direction: Direction;
}

export interface HavingPart {
  readonly measure: MeasureDraft;
  readonly operator: Comparison;
  readonly value: number;
}

/** Part of what is asked: `percent` of the rows or of a figure that fit the conditions from a place on. */
export interface PartOfWhole {
  readonly figure: MeasureDraft;
  /** Conditions before this place hold for the whole, too. */
  from: number;
  /** The verb has been read after which it is said what the part is. */
  isClaimed?: boolean;
}

/** A part of the selection that stays in the order in which it was said. */
export type Item =
  | { readonly kind: 'column'; readonly column: string }
  | { readonly kind: 'bucket'; readonly dimension: DimensionDraft }
  | { readonly kind: 'measure'; readonly measure: MeasureDraft };

/** What the rules have made of a question so far; each rule adds what it understands. */
export class Sentence {
  readonly items: Item[] = [];
  readonly computed: ComputedDraft[] = [];
  readonly groups: DimensionDraft[] = [];
  readonly filters: Filter[] = [];
  readonly derived: DerivedColumn[] = [];
  readonly having: HavingPart[] = [];
  readonly order: OrderKey[] = [];
  readonly notes: string[] = [];
  readonly problems: string[] = [];
  /** Words that only link a condition to its noun, as far as can be seen. */
  readonly harmless: string[] = [];
  /** Nouns that stand where a word for the rows stands. */
  readonly strangers: string[] = [];
  /** Columns that the verb last said speaks of. */
  hinted: readonly ColumnFacts[] = [];
  rank: Rank | null = null;
  summary: SummaryDraft | null = null;
  part: PartOfWhole | null = null;
  /** Two stretches of time that are set against each other, the later first. */
  periods: readonly [Filter, Filter] | null = null;
  distinct = false;
  /** The rows were named in the plural. */
  pluralRows = false;
  /** `on average` was said. */
  averaged = false;
  /** `in total` was said after a superlative. */
  totalled = false;
  /** What is ranked was named in the plural. */
  plural = false;
  /** Rows were named: `of all singers`. */
  rows = false;
  /** The question ends with the columns to show. */
  listed = false;
  /** `both` was said. */
  both = false;
  /** Whole rows were asked for. */
  whole = false;
  /** `each` of the rows or groups was named last. */
  each = false;
  /** How the question begins. */
  opener: 'which' | 'who' | 'when' | 'count' | 'list' | 'whether' | null = null;
  limit: number | null = null;
  /** Selection is over; columns that follow belong to conditions. */
  tail = false;
  /** The next condition is an alternative to the last. */
  or = false;

  constructor(readonly line: Line) {}

  get facts(): Line['facts'] {
    return this.line.facts;
  }

  columnNamed(name: string): ColumnFacts | undefined {
    return this.facts.columns.find((column) => column.name === name);
  }

  get measures(): readonly MeasureDraft[] {
    return this.items.flatMap((item) => (item.kind === 'measure' ? [item.measure] : []));
  }

  get columns(): readonly string[] {
    return this.items.flatMap((item) => (item.kind === 'column' ? [item.column] : []));
  }

  /** The place of a measure among the measures, added if it is new. */
  addMeasure(measure: MeasureDraft): number {
    const same = JSON.stringify(measure);
    const known = this.measures.findIndex((one) => JSON.stringify(one) === same);
    if (known >= 0) return known;
    this.items.push({ kind: 'measure', measure });
    return this.measures.length - 1;
  }

  addColumn(column: string): void {
    if (!this.columns.includes(column)) this.items.push({ kind: 'column', column });
  }

  addGroup(dimension: DimensionDraft): void {
    const same = JSON.stringify(dimension);
    if (!this.groups.some((one) => JSON.stringify(one) === same)) this.groups.push(dimension);
  }

  /** Adds conditions that hold together, or sets them beside the last one after an `or`. */
  addFilters(filters: readonly Filter[]): void {
    const last = this.filters.at(-1);
    if (!this.or || last === undefined) for (const filter of filters) this.addFilter(filter);
    else this.filters.splice(-1, 1, joinedTimes(last, filters) ?? eitherOf(last, filters));
    this.or = false;
  }

  /** Values of a column that were named apart are alternatives: `in Rome and how many in Milan`. */
  private addFilter(filter: Filter): void {
    const place = this.filters.findIndex(
      (one) =>
        one.kind === 'in' && filter.kind === 'in' && one.column === filter.column && one.negated === filter.negated,
    );
    const known = this.filters[place];
    if (known?.kind !== 'in' || filter.kind !== 'in' || known.negated) this.filters.push(filter);
    else this.filters[place] = { ...known, values: [...new Set([...known.values, ...filter.values])] };
  }

  derive(column: DerivedColumn): string {
    if (!this.derived.some(({ name }) => name === column.name)) this.derived.push(column);
    return column.name;
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }
}

type Plain = Exclude<Filter, { kind: 'any' }>;

/** Stretches of time that touch are one. */
function joinedTimes(last: Filter, [only, another]: readonly Filter[]): Filter | null {
  if (last.kind !== 'time' || only?.kind !== 'time' || another !== undefined || last.column !== only.column)
    return null;
  if (isEdge(last.to, only.from)) return { ...last, to: only.to };
  return isEdge(only.to, last.from) ? { ...last, from: only.from } : null;
}

function isEdge(end: string | null, start: string | null): boolean {
  return end !== null && end === start;
}

function eitherOf(last: Filter, filters: readonly Filter[]): Filter {
  const added = filters.filter((one): one is Plain => one.kind !== 'any');
  const before = last.kind === 'any' ? last.of : [[last]];
  return { kind: 'any', of: [...before, added] };
}
