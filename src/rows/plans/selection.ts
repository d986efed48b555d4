import type { PlanColumns } from '../../plan/plan-columns.js';
import { batches, columnsNeeded, isAmong, sortedDerived, sortedFilters } from '../../plan/sorted-plan.js';
import type { AnalysisPlan, DerivedColumn, Filter } from '../../ports/analysis-plan.js';
import { columnsOfFilter } from '../../ports/plan-filters.js';
import { conditionsOf } from './conditions.js';
import { computationOf } from './expressions.js';
import { type FigureScope, type PlanContext, type PlanWriter, Steps } from './query.js';

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
  private readonly derived: ReturnType<typeof sortedDerived>;
  private readonly filters: ReturnType<typeof sortedFilters>;
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
