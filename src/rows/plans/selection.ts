import type { PlanColumn, PlanColumns } from '../../plan/plan-columns.js';
import {
  type AnalysisPlan,
  columnsOfPlan,
  type DerivedColumn,
  type Expression,
  type Filter,
} from '../../ports/analysis-plan.js';
import { columnsOfExpression } from '../../ports/plan-expression.js';
import { columnsOfFilter } from '../../ports/plan-filters.js';
import { AppError } from '../../shared/app-error.js';
import { conditionsOf } from './conditions.js';
import { computationOf } from './expressions.js';
import { type FigureScope, type PlanContext, type PlanWriter, Steps } from './query.js';

const MOST_DERIVED = 50;

/** The rows that a plan is about: derived columns added, conditions applied or waiting. */
export interface Selection {
  readonly steps: Steps;
  readonly context: PlanContext;
}

/** Selects the rows of a plan; `more` are conditions on single figures, which may speak of other rows, too. */
export function selectionOf(
  plan: AnalysisPlan,
  table: PlanColumns,
  writer: PlanWriter,
  more: readonly Filter[] = [],
): Selection {
  return new Selecting(plan, table, writer, more).run();
}

class Selecting {
  private readonly steps: Steps;
  private readonly derived: SortedDerived;
  private readonly filters: SortedFilters;
  private columns: PlanColumns;
  /** All rows with what each has by itself. */
  private everything: string;
  private matching: FigureScope;

  constructor(
    plan: AnalysisPlan,
    table: PlanColumns,
    private readonly writer: PlanWriter,
    private readonly more: readonly Filter[],
  ) {
    this.steps = new Steps(writer, columnsNeeded(plan, table));
    this.derived = sortedDerived(plan.derived ?? []);
    this.filters = sortedFilters(plan.filters, this.derived);
    this.columns = table;
    this.everything = writer.relation;
    this.matching = { relation: writer.relation, where: [] };
  }

  run(): Selection {
    this.addPlain();
    if (this.derived.relative.length > 0) this.addRelative();
    else this.applyAll();
    return { steps: this.steps, context: this.context() };
  }

  /** Conditions on the table come first, except where a figure is over all rows with their derived columns. */
  private addPlain(): void {
    const late = this.needsAll();
    if (!late) this.where(this.filters.table);
    this.add(this.derived.plain);
    if (!late) return;
    this.everything = this.steps.relation;
    this.where(this.filters.table);
  }

  private applyAll(): void {
    const { derived, others, derivedOthers } = this.filters;
    this.where(derived);
    const looking = [...others, ...derivedOthers];
    this.settle([...looking, ...this.more]);
    this.where(looking);
  }

  /** What is scaled is scaled over the rows that fit the conditions on the table's own columns, before the others apply. */
  private addRelative(): void {
    const { others, derived, relative, derivedOthers } = this.filters;
    const held = conditionsOf(derived, this.context());
    this.settle(others, held);
    this.where(others);
    this.matching = { relation: this.steps.settled('fitting'), where: [] };
    this.add(this.derived.relative, true);
    this.steps.where(held);
    this.where(relative);
    this.settle([...derivedOthers, ...this.more]);
    this.where(derivedOthers);
  }

  /** Gives the rows that fit so far a name, where a condition is going to look at them. */
  private settle(looking: readonly Filter[], where: readonly string[] = []): void {
    if (looking.some(looksAtMatching)) this.matching = { relation: this.steps.settled('matching'), where };
  }

  private add(derived: readonly DerivedColumn[], isRelative = false): void {
    for (const batch of batches(derived)) {
      const context = this.context();
      const added = batch.map(({ name, expression }) => {
        const { sql, type, ranked } = computationOf(expression, context);
        this.columns = this.columns.with(name, { type, ranked });
        return { expression: sql, column: this.columns.named(name) };
      });
      this.steps.extend('derived', added);
      if (isRelative) this.matching = { relation: this.steps.relation, where: [] };
    }
  }

  private where(filters: readonly Filter[]): void {
    this.steps.where(conditionsOf(filters, this.context()));
  }

  private context(): PlanContext {
    const [everything, last] = [this.everything, this.steps.relation];
    const relative = this.derived.relative.map(({ name }) => name);
    // What is scaled over some rows is not known of any others.
    const all = (columns: readonly string[]): FigureScope => ({
      relation: columns.some((column) => isAmong(relative, column)) ? last : everything,
      where: [],
    });
    return { columns: this.columns, writer: this.writer, scope: { matching: this.matching, all } };
  }

  private needsAll(): boolean {
    const names = this.derived.plain.map(({ name }) => name);
    const cases = this.derived.relative.flatMap(({ expression }) =>
      expression.kind === 'case' ? expression.cases.flatMap(({ filters }) => filters) : [],
    );
    const filters = [...this.filters.others, ...this.filters.derivedOthers, ...this.more, ...cases];
    return filters.some((filter) => looksAtAllOf(filter, names));
  }
}

function looksAtMatching(filter: Filter): boolean {
  if (filter.kind === 'any') return filter.of.some((all) => all.some(looksAtMatching));
  return filter.kind === 'outlier' || (filter.kind === 'against' && filter.reach === 'matching');
}

function looksAtAllOf(filter: Filter, names: readonly string[]): boolean {
  if (filter.kind === 'any') return filter.of.some((all) => all.some((each) => looksAtAllOf(each, names)));
  return (
    filter.kind === 'against' &&
    filter.reach === 'all' &&
    columnsOfFilter(filter).some((column) => isAmong(names, column))
  );
}

/** Names without regard to case, as columns are found. */
function isAmong(names: readonly string[], name: string): boolean {
  return names.some((one) => one.toLowerCase() === name.toLowerCase());
}

interface SortedDerived {
  /** Those that a row has by itself. */
  readonly plain: readonly DerivedColumn[];
  /** Those that depend on the other rows, and what is made of them. */
  readonly relative: readonly DerivedColumn[];
}

function sortedDerived(derived: readonly DerivedColumn[]): SortedDerived {
  if (derived.length > MOST_DERIVED) {
    throw new AppError('invalid_input', `a plan can derive at most ${MOST_DERIVED} columns`);
  }
  return derived.reduce<SortedDerived>(
    ({ plain, relative }, column) => {
      const names = relative.map(({ name }) => name);
      const depends = columnsOfExpression(column.expression).some((name) => isAmong(names, name));
      const isRelative = depends || looksAround(column.expression);
      return isRelative ? { plain, relative: [...relative, column] } : { plain: [...plain, column], relative };
    },
    { plain: [], relative: [] },
  );
}

/** Whether the value of a row depends on the other rows. */
function looksAround(expression: Expression): boolean {
  switch (expression.kind) {
    case 'scaled':
    case 'equal_bins':
      return true;
    case 'filled':
      return typeof expression.with !== 'number';
    case 'case':
      return expression.cases.some(({ filters }) => filters.some(looksAtOthers));
    case 'arithmetic':
      return looksAround(expression.left) || looksAround(expression.right);
    case 'function':
    case 'bins':
      return looksAround(expression.of);
    case 'column':
    case 'number':
    case 'length':
    case 'part':
    case 'duration':
      return false;
  }
}

/** Whether a condition compares with a figure over other rows, so that it can't be part of what the figure is over. */
function looksAtOthers(filter: Filter): boolean {
  if (filter.kind === 'any') return filter.of.some((all) => all.some(looksAtOthers));
  return filter.kind === 'against' || filter.kind === 'outlier';
}

/** In groups of which none speaks of a column of its own, each of which can be one step of a query. */
function batches(derived: readonly DerivedColumn[]): readonly (readonly DerivedColumn[])[] {
  return derived.reduce<readonly (readonly DerivedColumn[])[]>((done, column) => {
    const last = done.at(-1) ?? [];
    const names = last.map(({ name }) => name);
    const needsLast = columnsOfExpression(column.expression).some((name) => isAmong(names, name));
    return needsLast || done.length === 0 ? [...done, [column]] : [...done.slice(0, -1), [...last, column]];
  }, []);
}

interface SortedFilters {
  /** On columns of the table, and looking at no other rows. */
  readonly table: readonly Filter[];
  /** On derived columns, and looking at no other rows. */
  readonly derived: readonly Filter[];
  readonly relative: readonly Filter[];
  /** Comparing with figures over other rows. */
  readonly others: readonly Filter[];
  readonly derivedOthers: readonly Filter[];
}

function sortedFilters(filters: readonly Filter[], { plain, relative }: SortedDerived): SortedFilters {
  const [plainNames, relativeNames] = [plain, relative].map((columns) => columns.map(({ name }) => name));
  const speaksOf =
    (names: readonly string[] = []) =>
    (filter: Filter) =>
      columnsOfFilter(filter).some((name) => isAmong(names, name));
  const [ofPlain, ofRelative] = [speaksOf(plainNames), speaksOf(relativeNames)];
  const isOfTable = (filter: Filter): boolean => !ofPlain(filter) && !ofRelative(filter);
  const quiet = filters.filter((filter) => !looksAtOthers(filter));
  const looking = filters.filter(looksAtOthers);
  return {
    table: quiet.filter(isOfTable),
    derived: quiet.filter((filter) => ofPlain(filter) && !ofRelative(filter)),
    relative: quiet.filter(ofRelative),
    others: looking.filter(isOfTable),
    derivedOthers: looking.filter((filter) => !isOfTable(filter)),
  };
}

/**
 * The columns of the table that a plan reads, each once.
 *
 * @throws AppError `invalid_input` when it names one that is neither the table's nor derived.
 */
export function columnsNeeded(plan: AnalysisPlan, table: PlanColumns): readonly PlanColumn[] {
  if (plan.kind === 'rows' && plan.columns.length === 0) return table.all;
  const own = (plan.derived ?? []).map(({ name }) => name);
  const named = columnsOfPlan(plan).filter((name) => !isAmong(own, name));
  return [...new Set(named.map((name) => table.named(name)))];
}
