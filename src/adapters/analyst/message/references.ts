import type { AnalysisPlan, Filter } from '../../../ports/analysis-plan.js';
import { columnsOfFilter } from '../../../ports/plan-filters.js';
import type { ColumnFacts } from '../column-facts.js';
import { NO_CONSTRAINTS, type Constraints, type OutlierRule } from '../statistics/script.js';
import { planFrom } from '../plan-builder.js';
import type { TableFacts } from '../table-facts.js';
import type { Part } from './understanding.js';
import { COMPARES_ALONE } from './sentence-kinds.js';
import { cuesOf } from '../follow-up-cues.js';
import { tokenize } from '../tokens.js';

/** The columns of numbers that a plan was about: what `its median` means after it. */
export function focusFrom(plan: AnalysisPlan | null, facts: TableFacts): readonly ColumnFacts[] {
  if (plan === null) return [];
  const names = namesOf(plan);
  return names.flatMap((wanted) => facts.columns.find(({ name }) => name === wanted) ?? []);
}

function namesOf(plan: AnalysisPlan): readonly string[] {
  if (plan.kind === 'statistic') return plan.columns;
  if (plan.kind === 'rows') return plan.filters.flatMap((filter) => (filter.kind === 'outlier' ? [filter.column] : []));
  const measured = plan.measures.flatMap(({ column, filters = [] }) => [
    ...(column === null ? [] : [column]),
    ...filters.flatMap((filter) => (filter.kind === 'outlier' ? [filter.column] : [])),
  ]);
  return measured.length > 0
    ? measured
    : plan.filters.flatMap((filter) => (filter.kind === 'outlier' ? [filter.column] : []));
}

/** The one column whose groups a plan sets side by side. */
export function groupsOf(plan: AnalysisPlan): string | null {
  if (plan.kind === 'statistic') return plan.by;
  const [only, another] = plan.kind === 'aggregate' ? plan.dimensions : [];
  return only?.kind === 'column' && another === undefined ? only.column : null;
}

/** How a plan tells outliers, where it speaks of them. */
export function outlierRuleOf(plan: AnalysisPlan): OutlierRule | null {
  const own = plan.kind === 'aggregate' ? plan.measures.flatMap(({ filters = [] }) => filters) : [];
  const outlier = [...plan.filters, ...own].find((filter) => filter.kind === 'outlier');
  return outlier?.kind === 'outlier' ? { method: outlier.method, threshold: outlier.threshold } : null;
}

const LEAVES =
  /\b(?:remaining|rest of|others|without (?:them|these|those)|(?:exclud|remov|dropp|ignor|omitt)\w* (?:of )?(?:them|these|those|the outliers)|(?:drop|exclude|remove) (?:them|these|those)|removal)\b/iu;
const REFERS =
  /^(?:and|also)\b|\b(?:remaining|rest of|those|these|its|their|it|them|the same|thereof|that column|this column)\b/iu;

/** What a question that speaks of the one before takes over from it: its conditions. */
export function inherited(
  text: string,
  before: Part | null,
  { isFragment, named }: { readonly isFragment: boolean; readonly named: ReadonlySet<string> },
): Constraints {
  const plan = before?.understanding.kind === 'plan' ? before.understanding.plan : null;
  if (plan === null || plan.kind === 'rows' || !(isFragment || REFERS.test(text))) return NO_CONSTRAINTS;
  const filters = plan.filters.flatMap((filter): readonly Filter[] => {
    // What the question says of a column itself is not taken over.
    if (filter.kind !== 'outlier') return columnsOfFilter(filter).some((name) => named.has(name)) ? [] : [filter];
    return LEAVES.test(text) ? [{ ...filter, negated: true }] : [];
  });
  return { ...NO_CONSTRAINTS, filters };
}

const REMAINING =
  /,?\s*\b(?:of|for|among|in|over) the (?:remaining|other|rest of the) (?:rows?|values?|records?|observations?|points?|data|entries|ones|flats|items|samples|cases)\b/giu;
/** `the mean of the remaining waits`. */
const REMAINING_NOUN = /\b(of|for|among|in|over) the (?:remaining|rest of the) (?=\p{L})/giu;
const COUNTED_REMAINING = /(\bhow many rows are there) of the remaining (?:rows|values)\b/giu;

/** `the mean of the remaining flats`: the conditions that were taken over say which those are. */
export function withoutRemaining(text: string, { filters }: Constraints): string {
  const leaves = filters.some((filter) => filter.kind === 'outlier' && filter.negated);
  const counted = text.replace(COUNTED_REMAINING, '$1');
  return leaves ? counted.replace(REMAINING, '').replace(REMAINING_NOUN, '$1 ') : counted;
}

const SAME = /^(?:and |also |do |then )*(?:the )?same (?:for|of|with) (?:the )?(?<what>[^?.!]+)/iu;
const OBJECT = /\b(?<of>of|in|for)\s+(?:the\s+)?(?:"[^"]+"|[\p{L}\d_]+)/iu;

/** `the same for fares`: the question before, of something else. */
export function sameFor(text: string, before: string | null): string | null {
  const what = SAME.exec(text.trim())?.groups?.['what'];
  if (what === undefined || before === null) return null;
  const swapped = before.replace(OBJECT, (_whole, of: string) => `${of} ${what.trim()}`);
  return swapped === before ? null : swapped;
}

/** How many rows a plan is about. */
export function countedOf({ derived, filters }: AnalysisPlan): AnalysisPlan {
  return {
    kind: 'aggregate',
    ...(derived === undefined ? {} : { derived }),
    measures: [{ aggregate: 'count', column: null, label: 'number of rows' }],
    ...{ dimensions: [], filters, having: [], order: [], limit: null },
  };
}

/** Which share of all rows a plan counted; `null` where it counted none. */
export function shareOf(plan: AnalysisPlan, facts: TableFacts): AnalysisPlan | null {
  if (plan.kind !== 'aggregate' || plan.dimensions.length > 0 || plan.filters.length === 0) return null;
  const [only, another] = plan.measures;
  if (only?.aggregate !== 'count' || another !== undefined) return null;
  const all = { aggregate: 'count', column: null } as const;
  return planFrom(
    {
      kind: 'aggregate',
      ...(plan.derived === undefined ? {} : { derived: plan.derived }),
      measures: [{ ...all, filters: plan.filters }, all],
      computed: [{ kind: 'percent', left: 0, right: 1 }],
      ...{ dimensions: [], filters: [], having: [], rank: null },
    },
    facts,
  );
}

/**
 * Whether a text goes on from an answer with groups, rows or conditions. The statistics know the columns of the answer before and no
 * more of it, so that such a text is the table's to read.
 */
export function goesOnFromGroups(text: string, before: AnalysisPlan | null): boolean {
  if (before === null || before.kind === 'statistic' || isPlainFigure(before)) return false;
  const { goesOn, refersBack } = cuesOf(tokenize(text));
  return goesOn || refersBack;
}

function isPlainFigure(plan: AnalysisPlan): boolean {
  return plan.kind === 'aggregate' && plan.dimensions.length === 0 && plan.filters.length === 0;
}

/** `how many are below 3?` of the column that was spoken of. */
export function ofFocus(text: string, [column]: readonly ColumnFacts[]): string {
  return column === undefined ? text : text.replace(COMPARES_ALONE, `how many rows have a "${column.name}" `);
}
