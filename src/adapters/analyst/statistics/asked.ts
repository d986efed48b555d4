import type {
  AnalysisPlan,
  DerivedColumn,
  Filter,
  OutlierMethod,
  RowsPlan,
  StatisticPlan,
} from '../../../ports/analysis-plan.js';
import { columnsOfFilter } from '../../../ports/plan-filters.js';
import { columnsOfExpression, type Expression } from '../../../ports/plan-expression.js';
import { filterWords } from '../condition-words.js';
import type { ColumnFacts } from '../column-facts.js';
import type { AggregateDraft, DimensionDraft, MeasureDraft, RankDraft } from '../../../analyst/reading/draft.js';
import type { Focus, Verdict } from '../message/understanding.js';
import { planFrom } from '../plan-builder.js';
import type { Piece } from '../pieces.js';
import type { TableFacts } from '../table-facts.js';
import type { Clause } from './clause.js';
import type { Conditioned } from './conditions.js';
import type { MarkKind, MarkOf } from './marks.js';
import type { Constraints, Script } from './script.js';

/** What a builder makes of a question; `problem` ends the reading, `null` leaves it to the next builder. */
export type Built =
  | {
      readonly kind: 'plan';
      readonly plan: AnalysisPlan;
      readonly verdict?: Verdict | undefined;
      readonly focus?: Focus | undefined;
    }
  | { readonly kind: 'problem'; readonly text: string; readonly cannot: boolean };

export const MAX_MEASURES = 20;
const USUAL_LEVEL = 0.05;
export const USUAL_THRESHOLDS: Readonly<Record<OutlierMethod, number>> = { iqr: 1.5, zscore: 3 };

const OF_FOCUS = /\b(?:its|their|it|them)\b/iu;

type Extras = Partial<Pick<AggregateDraft, 'computed' | 'rank'>> & {
  readonly filters?: readonly Filter[];
  /** Groups that are no group of the question. */
  readonly by?: string;
};

/** A question about statistics while its plan is made: its operands, its conditions, and what holds for it. */
export class Asked {
  readonly notes: string[] = [];
  /** Kinds of marks that the plan accounts for. */
  readonly used = new Set<MarkKind>([
    'level',
    'significant',
    'population',
    'reference',
    'each',
    'role',
    'factor',
    'method',
  ]);

  private isFlagTaken = false;

  constructor(
    readonly clause: Clause,
    private readonly conditioned: Conditioned,
    /** Pieces that are no condition, with arithmetic turned into columns. */
    readonly free: readonly Piece[],
    readonly script: Script,
    readonly constraints: Constraints,
  ) {}

  get facts(): TableFacts {
    return this.script.facts;
  }

  /** Columns asked about, in the order in which they were named, each once; those of the sentence before where it names none. */
  get columns(): readonly ColumnFacts[] {
    const named = this.free.flatMap((piece) => (piece.kind === 'column' ? [this.script.meantBy(piece.column)] : []));
    const own = [...new Map(named.map((column) => [column.name, column])).values()];
    return own.length === 0 || this.speaksOfFocus(own) ? this.script.focus : own;
  }

  /** `its mean for the irrigated plots`: what rows are called is not what the figure is of. */
  private speaksOfFocus(own: readonly ColumnFacts[]): boolean {
    const asks =
      this.clause.has('figure') || (this.clause.has('combine', 'significant') && this.clause.has('reference'));
    if (own.some(({ role }) => role === 'figure') || !asks) return false;
    return OF_FOCUS.test(this.clause.text) && this.script.focus.some(({ role }) => role === 'figure');
  }

  get figures(): readonly ColumnFacts[] {
    return this.columns.filter(({ role }) => role === 'figure');
  }

  get categories(): readonly ColumnFacts[] {
    return this.columns.filter(({ role }) => role === 'category' || role === 'boolean');
  }

  get dimensions(): readonly DimensionDraft[] {
    if (this.isFlagTaken) return [];
    const { dimensions } = this.conditioned;
    const column = this.script.groups?.name ?? this.script.by;
    const speaks = this.clause.has('each') && column !== null;
    return dimensions.length === 0 && speaks ? [{ kind: 'column', column }] : dimensions;
  }

  /** The yes-or-no column both of whose answers were named; it is no group of the plan any more. */
  takeFlag(): Conditioned['flag'] {
    const { flag } = this.conditioned;
    this.isFlagTaken = flag !== undefined;
    return flag;
  }

  /** The conditions of the question itself. */
  get conditions(): readonly Filter[] {
    return this.conditioned.filters;
  }

  get isPopulation(): boolean {
    return this.clause.first('population')?.population ?? this.constraints.population ?? false;
  }

  get level(): number {
    return this.clause.first('level')?.level ?? this.constraints.level ?? USUAL_LEVEL;
  }

  /** How outliers are told, and from which distance on. */
  get outlierRule(): { readonly method: OutlierMethod; readonly threshold: number } {
    const method = this.outlierMethod;
    const before = this.script.outlierRule;
    const known = before?.method === method ? before.threshold : null;
    return { method, threshold: this.outlierThreshold ?? known ?? USUAL_THRESHOLDS[method] };
  }

  private get outlierMethod(): OutlierMethod {
    const said = this.clause.first('method')?.method ?? this.impliedMethod;
    const method = said ?? this.methodBefore;
    if (method === null)
      this.note('I took values more than 1.5 times the interquartile range outside of the quartiles as outliers.');
    return method ?? 'iqr';
  }

  /** As sentences of their own or questions before tell it. */
  private get methodBefore(): OutlierMethod | null {
    return this.constraints.method ?? this.script.outlierRule?.method ?? null;
  }

  private get outlierThreshold(): number | null {
    return this.clause.first('method')?.threshold ?? this.clause.first('factor')?.value ?? this.constraints.factor;
  }

  private get impliedMethod(): OutlierMethod | null {
    if (this.clause.has('scale')) return 'zscore';
    return this.clause.all('figure').some(({ aggregate }) => aggregate === 'iqr') ? 'iqr' : null;
  }

  outlierFilter(column: string, negated: boolean): Filter {
    return { kind: 'outlier', column, ...this.outlierRule, population: this.isPopulation, negated };
  }

  /** The first mark of this kind that arithmetic did not take. */
  firstFree<K extends MarkKind>(kind: K): MarkOf<K> | null {
    const marks = this.free.map((piece) => this.clause.markOf(piece));
    return marks.find((mark): mark is MarkOf<K> => mark?.kind === kind) ?? null;
  }

  use(...kinds: readonly MarkKind[]): void {
    for (const kind of kinds) this.used.add(kind);
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  aggregate(measures: readonly MeasureDraft[], extras: Extras = {}): Built & { kind: 'plan' } {
    const filters = extras.filters ?? this.filtersFor(measures.flatMap(({ column }) => column ?? []));
    const dimensions = extras.by === undefined ? this.dimensions : [{ kind: 'column' as const, column: extras.by }];
    const named = [
      ...measures.flatMap(({ column, second, filters: own = [] }) => [column, second, ...own.flatMap(columnsOfFilter)]),
      ...dimensions.map(({ column }) => column),
      ...filters.flatMap(columnsOfFilter),
    ].filter((name) => typeof name === 'string');
    const draft: AggregateDraft = {
      kind: 'aggregate',
      ...this.heldFor(named, filters),
      measures,
      dimensions,
      ...(extras.computed === undefined ? {} : { computed: extras.computed }),
      having: [],
      rank: extras.rank ?? null,
    };
    const plan = planFrom(draft, this.facts);
    return { kind: 'plan', plan: this.isInOrder(extras.rank ?? null) ? { ...plan, order: [] } : plan };
  }

  /** Numbered intervals come in their order. */
  private isInOrder(rank: RankDraft | null): boolean {
    const made = this.script.neededFor(this.dimensions.map(({ column }) => column));
    return rank === null && made.some(({ expression }) => expression.kind === 'equal_bins');
  }

  statistic(
    method: StatisticPlan['method'],
    columns: readonly string[],
    extras: Partial<Pick<StatisticPlan, 'by' | 'at' | 'value' | 'filters'>> = {},
  ): Built & { kind: 'plan' } {
    const filters = extras.filters ?? this.filtersFor(columns);
    const by = extras.by ?? null;
    const named = [...columns, ...(by === null ? [] : [by]), ...filters.flatMap(columnsOfFilter)];
    const { at, value } = extras;
    return {
      kind: 'plan',
      plan: {
        kind: 'statistic',
        method,
        columns,
        by,
        ...(at === undefined ? {} : { at }),
        ...(value === undefined ? {} : { value }),
        ...this.heldFor(named, filters),
      },
    };
  }

  rows(columns: readonly string[], filters: readonly Filter[], limit: number): Built {
    const named = [...columns, ...filters.flatMap(columnsOfFilter)];
    return {
      kind: 'plan',
      plan: { kind: 'rows', columns, ...this.heldFor(named, filters), order: [], limit },
    };
  }

  /** The first row in this order. */
  top(columns: readonly string[], order: RowsPlan['order'][number]): Built {
    const filters = this.filtersFor([]);
    const held = this.heldFor([...columns, ...filters.flatMap(columnsOfFilter)], filters);
    const present: Filter = { kind: 'null', column: order.by, negated: true };
    const plan: RowsPlan = {
      kind: 'rows',
      columns,
      ...held,
      filters: [...held.filters, present],
      order: [order],
      limit: 1,
    };
    return { kind: 'plan', plan };
  }

  /** The conditions of the question and those that hold for it, for a statistic of these columns. */
  filtersFor(columns: readonly string[]): readonly Filter[] {
    return distinct([...this.constraints.filters, ...this.conditions, ...this.dropped(columns)]);
  }

  verdict(about: (Verdict & { by: 'p-value' })['about']): Verdict {
    const isSaid = this.clause.has('level') || this.constraints.level !== null;
    if (!isSaid) this.note(`I judged by a significance level of ${this.level}.`);
    return { by: 'p-value', about, level: this.level };
  }

  problem(text: string, cannot = false): Built {
    return { kind: 'problem', text, cannot };
  }

  private dropped(columns: readonly string[]): readonly Filter[] {
    const removes =
      this.clause.has('removing') && this.clause.has('outliers', 'method') && !this.clause.has('both ways');
    if (this.constraints.dropsMissing) this.note('Rows without a value are left out.');
    if (!removes && !this.constraints.dropsOutliers) return [];
    return [...new Set(columns)].map((column) => this.outlierFilter(column, true));
  }

  /** The columns that are needed, and the conditions; what fills or scales is worked out before those that come after it. */
  private heldFor(names: readonly string[], filters: readonly Filter[]): Pick<AggregateDraft, 'derived' | 'filters'> {
    const derived = this.script.neededFor(names);
    const late = derived.some(looksAround) ? filters.filter((filter) => this.isLate(filter)) : [];
    const early = filters.filter((filter) => !late.includes(filter));
    if (early.some((filter) => this.isOfTable(filter)) && derived.some(looksAround))
      this.note('What fills gaps or scales is worked out over the rows that fit the conditions before it.');
    if (late.length === 0) return { ...(derived.length === 0 ? {} : { derived }), filters };
    const name = late.map(filterWords).join(' and ').slice(0, MAX_KEPT);
    const expression: Expression = { kind: 'case', cases: [{ filters: late, value: 'yes' }], otherwise: 'no' };
    const isKept: Filter = { kind: 'in', column: name, values: ['yes'], negated: false };
    this.note('What fills gaps or scales is worked out over all rows, before the conditions of the question.');
    return { derived: [...derived, { name, expression }], filters: [...early, isKept] };
  }

  /** A condition of the question itself, or one that is said to come after. */
  private isLate(filter: Filter): boolean {
    const said = JSON.stringify(filter);
    const isSaid = [...this.conditions, ...this.constraints.late].some((one) => JSON.stringify(one) === said);
    return isSaid && this.isOfTable(filter);
  }

  /** On columns of the table alone, and not on how far values are from the rest. */
  private isOfTable(filter: Filter): boolean {
    if (filter.kind === 'outlier' || filter.kind === 'against') return false;
    const made = new Set(this.script.columns.map(({ name }) => name));
    return columnsOfFilter(filter).every((name) => !made.has(name));
  }
}

/** Longer names of columns are cut. */
const MAX_KEPT = 70;

/** What a row gets depends on the others. */
function looksAround({ expression }: DerivedColumn): boolean {
  return (
    expression.kind === 'scaled' ||
    expression.kind === 'equal_bins' ||
    (expression.kind === 'filled' && typeof expression.with !== 'number')
  );
}

export function distinct(filters: readonly Filter[]): readonly Filter[] {
  return [...new Map(filters.map((filter) => [JSON.stringify(filter), filter])).values()];
}

/** `the mean price of the cheeses`, of a column that has another name for each row: those are the rows. */
export function tellsRows({ role, identifies, profile }: ColumnFacts, facts: TableFacts): boolean {
  return role === 'category' && (identifies || profile.distinct === facts.profile.rowCount);
}

export function sourcesOf(script: Script, column: ColumnFacts): readonly string[] {
  const derived = script.neededFor([column.name]).find(({ name }) => name === column.name);
  return derived === undefined ? [] : columnsOfExpression(derived.expression);
}
