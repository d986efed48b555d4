import type { AggregatePlan, AnalysisPlan, RowsPlan } from '../../ports/analysis-plan.js';
import type { QueryResult } from '../../ports/table.js';
import { counted } from '../../shared/number-words.js';
import { namesOf } from './group-words.js';
import type { TableFacts } from '../reading/table.js';
import { said, Telling, type Row, type Told } from './telling.js';

/** So many rows behind the last one are looked at. */
const LOOKED_AT = 10;

type Ranked = AggregatePlan | RowsPlan;

/** The last row of a ranking and those behind it, where they may share its place and nobody can see that from the ranking. */
export function tiesPlanFor(plan: AnalysisPlan, { columns }: Pick<TableFacts, 'columns'>): Ranked | null {
  if (plan.kind === 'statistic' || plan.limit === null || plan.each !== undefined) return null;
  const [order] = plan.order;
  const isOfOne = plan.kind === 'rows' ? plan.distinct === true : plan.summary !== undefined;
  if (order === undefined || isOfOne || plan.limit === 0 || isHardlyTied(plan, order.by, columns)) return null;
  const place = { skip: (plan.skip ?? 0) + plan.limit - 1, limit: LOOKED_AT + 1 };
  return plan.kind === 'rows' ? { ...plan, ...place, columns: [order.by] } : { ...plan, ...place };
}

/** Sums and means of fractions are hardly ever the same. */
function isHardlyTied(plan: Ranked, by: string, columns: TableFacts['columns']): boolean {
  if (plan.kind === 'rows') return false;
  const measure = plan.measures.find(({ label }) => label === by);
  const isFraction = columns.some(({ name, profile }) => name === measure?.column && profile.type === 'number');
  return isFraction && (measure?.aggregate === 'sum' || measure?.aggregate === 'avg');
}

/** ` **2026-11-06** is tied with it.`, where rows behind the last one of a ranking have the same figure; else nothing. */
export function tieWords(told: Told): string {
  const { plan, facts, ties = null } = told;
  if (ties === null || plan.kind === 'statistic') return '';
  const tied = tiedRows(told, ties);
  if (tied.length === 0) return '';
  const [is, has] = tied.length === 1 ? ['is', 'has'] : ['are', 'have'];
  const isMany = plan.limit !== 1;
  if (plan.kind === 'aggregate') {
    const names = namesOf(new Telling(plan, { result: ties, facts }), tied);
    return ` ${names} ${is} tied with ${isMany ? 'the last of these' : 'it'}.`;
  }
  const most = tied.length === LOOKED_AT ? 'at least ' : '';
  const number = `There ${is} **${most}${counted(tied.length, 'more row')}**`;
  return ` ${number} that ${has} the same ${said(plan.order[0]?.by ?? '')}${isMany ? ' as the last of these' : ''}.`;
}

/** Those behind the last one that have its figure. */
function tiedRows({ plan, result }: Told, ties: QueryResult): readonly Row[] {
  if (plan.kind === 'statistic' || result.rows.length !== plan.limit) return [];
  const place = ties.columns.findIndex(({ name }) => name === plan.order[0]?.by);
  const [last, ...behind] = ties.rows;
  const value = last?.[place] ?? null;
  return value === null ? [] : behind.filter((row) => row[place] === value);
}
