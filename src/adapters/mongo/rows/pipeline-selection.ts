import type { AnalysisPlan, DerivedColumn, Filter } from '../../../ports/analysis-plan.js';
import type { PlanColumns } from '../../../plan/plan-columns.js';
import { batches, columnsNeeded, isAmong, sortedDerived, sortedFilters } from '../../../plan/sorted-plan.js';
import type { Stage } from './mongo-table.js';
import type { Condition } from './pipeline-conditions.js';
import { computationOf } from './pipeline-expressions.js';
import { conditionsOf } from './pipeline-filters.js';
import type { PipelineContext } from './pipeline-scope.js';
import { type FigureScope, PipelineSteps } from './pipeline-steps.js';
import type { Term } from './pipeline-terms.js';
import type { PipelineWriter } from './pipeline-writers.js';

/** Selects the rows of a plan, derived columns added; `more` are conditions on single figures, which may speak of other rows, too. */
export function selectionOf(
  plan: AnalysisPlan,
  table: PlanColumns,
  writer: PipelineWriter,
  more: readonly Filter[] = [],
): PipelineContext {
  return new Selecting(plan, table, writer, more).run();
}

class Selecting {
  private readonly steps: PipelineSteps;
  private readonly derived: ReturnType<typeof sortedDerived>;
  private readonly filters: ReturnType<typeof sortedFilters>;
  private columns: PlanColumns;
  /** All rows with what each has by itself. */
  private everything: FigureScope = { stages: [], where: [] };
  private matching: FigureScope = { stages: [], where: [] };
  private last: FigureScope = { stages: [], where: [] };

  constructor(
    plan: AnalysisPlan,
    table: PlanColumns,
    private readonly writer: PipelineWriter,
    private readonly more: readonly Filter[],
  ) {
    columnsNeeded(plan, table);
    this.steps = new PipelineSteps(writer);
    this.derived = sortedDerived(plan.derived ?? []);
    this.filters = sortedFilters(plan.filters, this.derived);
    this.columns = table;
  }

  run(): PipelineContext {
    this.addPlain();
    if (this.derived.relative.length > 0) this.addRelative();
    else this.applyAll();
    return this.context();
  }

  /** Conditions on the table come first, except where a figure is over all rows with their derived columns. */
  private addPlain(): void {
    const late = this.needsAll();
    if (!late) this.where(this.filters.table);
    this.add(this.derived.plain);
    if (!late) return;
    this.everything = { stages: this.steps.relation, where: [] };
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
    this.matching = { stages: this.steps.settled(), where: [] };
    this.add(this.derived.relative, true);
    this.steps.where(held);
    this.where(relative);
    this.settle([...derivedOthers, ...this.more]);
    this.where(derivedOthers);
  }

  /** Remembers the rows that fit so far, where a condition is going to look at them. */
  private settle(looking: readonly Filter[], where: readonly Condition[] = []): void {
    if (looking.some(looksAtMatching)) this.matching = { stages: this.steps.settled(), where };
  }

  private add(derived: readonly DerivedColumn[], isRelative = false): void {
    for (const batch of batches(derived)) {
      const context = this.context();
      const added = batch.map(({ name, expression }): readonly [string, Term] => {
        const { term, type, ranked } = computationOf(expression, context);
        this.columns = this.columns.with(name, { type, ranked });
        return [this.writer.field(this.columns.named(name)) ?? '', term];
      });
      this.steps.extend(Object.fromEntries(added));
      if (isRelative) this.matching = { stages: this.steps.relation, where: [] };
    }
  }

  private where(filters: readonly Filter[]): void {
    this.steps.where(conditionsOf(filters, this.context()));
  }

  private context(): PipelineContext {
    const [everything, last] = [this.everything, this.lastScope(this.steps.relation)];
    const relative = this.derived.relative.map(({ name }) => name);
    // What is scaled over some rows is not known of any others.
    const all = (column: string): FigureScope => (isAmong(relative, column) ? last : everything);
    const { columns, writer, steps, matching } = this;
    return { columns, writer, steps, scope: { matching, all } };
  }

  /** The same one for the same rows, so that figures over them are worked out together. */
  private lastScope(stages: readonly Stage[]): FigureScope {
    if (this.last.stages !== stages) this.last = { stages, where: [] };
    return this.last;
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
  return filter.kind === 'against' && filter.reach === 'all' && isAmong(names, filter.of ?? filter.column);
}
