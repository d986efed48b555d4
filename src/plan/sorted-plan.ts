import {
  type AnalysisPlan,
  columnsOfPlan,
  type DerivedColumn,
  type Expression,
  type Filter,
} from '../ports/analysis-plan.js';
import { columnsOfExpression } from '../ports/plan-expression.js';
import { columnsOfFilter } from '../ports/plan-filters.js';
import { AppError } from '../shared/app-error.js';
import type { PlanColumn, PlanColumns } from './plan-columns.js';

const MOST_DERIVED = 50;

/** Names without regard to case, as columns are found. */
export function isAmong(names: readonly string[], name: string): boolean {
  return names.some((one) => one.toLowerCase() === name.toLowerCase());
}

export interface SortedDerived {
  /** Those that a row has by itself. */
  readonly plain: readonly DerivedColumn[];
  /** Those that depend on the other rows, and what is made of them. */
  readonly relative: readonly DerivedColumn[];
}

export function sortedDerived(derived: readonly DerivedColumn[]): SortedDerived {
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
export function batches(derived: readonly DerivedColumn[]): readonly (readonly DerivedColumn[])[] {
  return derived.reduce<readonly (readonly DerivedColumn[])[]>((done, column) => {
    const last = done.at(-1) ?? [];
    const names = last.map(({ name }) => name);
    const needsLast = columnsOfExpression(column.expression).some((name) => isAmong(names, name));
    return needsLast || done.length === 0 ? [...done, [column]] : [...done.slice(0, -1), [...last, column]];
  }, []);
}

export interface SortedFilters {
  /** On columns of the table, and looking at no other rows. */
  readonly table: readonly Filter[];
  /** On derived columns, and looking at no other rows. */
  readonly derived: readonly Filter[];
  readonly relative: readonly Filter[];
  /** Comparing with figures over other rows. */
  readonly others: readonly Filter[];
  readonly derivedOthers: readonly Filter[];
}

export function sortedFilters(filters: readonly Filter[], { plain, relative }: SortedDerived): SortedFilters {
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
