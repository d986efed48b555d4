import { Injectable } from '@nestjs/common';
import { assertColumns } from '../../answering/given-plan.js';
import { joinCautions, namedJoins } from '../../plan/joined-profile.js';
import { isMoving, planAt } from '../../plan/moving-times.js';
import { purposeOf } from '../../plan/wording.js';
import { AppError } from '../../shared/app-error.js';
import type { DatasourceId } from '../../shared/ids.js';
import { numberWords, percentWords } from '../../shared/number-words.js';
import { type JoinedDatasources, JoinableTables, KeptQueries } from '../datasource/joinable-tables.facade.js';
import type { Alert, AlertCondition } from './alert.schema.js';

export type Watched = Pick<Alert, 'companyId' | 'datasourceId' | 'others' | 'plan' | 'dbquery'>;

/** A figure as it was read; null: no row has one, or no row is counted. */
export interface ReadFigure {
  readonly value: number | null;
  /** What its join makes of the rows. */
  readonly warnings: readonly string[];
}

const LONGEST_WORDS = 500;

/** Reads the figures of alerts, through the same gate as questions. */
@Injectable()
export class AlertFigures {
  constructor(
    private readonly tables: JoinableTables,
    private readonly queries: KeptQueries,
  ) {}

  /** Which of the datasources that somebody names the figure joins. @throws AppError `not_found` */
  othersOf({ companyId, plan, dbquery }: Watched, ids: readonly DatasourceId[]): Promise<JoinedDatasources> {
    return this.tables.othersNamed(companyId, ids, { plan, sql: dbquery });
  }

  /**
   * The figure as it is now.
   *
   * @throws AppError `not_found` without the datasource, `conflict` while it has no rows, `invalid_input` when it is no single figure or
   *   joins what can't be joined any more, `timed_out`, `unavailable`.
   */
  async read({ companyId, plan, dbquery, ...query }: Watched): Promise<ReadFigure> {
    const datasource = await this.tables.getKept(companyId, query);
    const { table, profile, joined } = datasource;
    if (table === null || profile === null) throw new AppError('conflict', 'the datasource has no rows yet');
    if (plan !== null) assertColumns(plan, { profile, joined });
    // A second row tells that it is no single figure.
    const { columns, rows, joins } = await this.queries.run(table, { plan, sql: dbquery }, 2);
    if ((columns.length !== 1 && !worksOutOne(plan)) || rows.length > 1) throw noFigure('the result is a table');
    const value = figureOf(rows[0]?.at(-1) ?? null);
    return {
      value: value === 0 && countsRows(plan) ? null : value,
      warnings: joinCautions(namedJoins(joins, datasource)),
    };
  }
}

/** A figure that follows from others, such as a share, comes after them. */
function worksOutOne(plan: Watched['plan']): boolean {
  return plan?.kind === 'aggregate' && plan.dimensions.length === 0 && (plan.computed ?? []).length > 0;
}

function countsRows(plan: Watched['plan']): boolean {
  return (
    plan?.kind === 'aggregate' &&
    !worksOutOne(plan) &&
    plan.measures.length === 1 &&
    plan.measures[0]?.aggregate === 'count'
  );
}

function figureOf(cell: string | number | boolean | null): number | null {
  if (cell === null || typeof cell === 'number') return cell;
  // Whole numbers and decimals that are too long for a number come as texts.
  const value = typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : Number.NaN;
  if (!Number.isFinite(value)) throw noFigure('the result is no number');
  return value;
}

function noFigure(why: string): AppError {
  return new AppError('invalid_input', `an alert watches one figure: ${why}`);
}

/** What is watched: `average temperature, where city is Oslo`; empty for a query. Dates that move are those of the last check. */
export function figureWords({ plan, checkedAt, createdAt }: Pick<Alert, 'plan' | 'checkedAt' | 'createdAt'>): string {
  if (plan === null) return '';
  const words = purposeOf(planAt(plan, checkedAt ?? createdAt)).slice(0, LONGEST_WORDS);
  return isMoving(plan) ? `${words}; the dates move with time` : words;
}

export interface Verdict {
  readonly met: boolean;
  readonly words: string;
}

/** How a figure stands to a condition; `before` is what it was at the check before. */
export function verdictOn(condition: AlertCondition, value: number | null, before: number | null): Verdict {
  if (value === null) return { met: condition.type === 'no_data', words: 'There is no data' };
  const told = numberWords(value);
  switch (condition.type) {
    case 'no_data':
      return { met: false, words: `The figure is ${told}` };
    case 'above':
    case 'below': {
      const met = condition.type === 'above' ? value > condition.value : value < condition.value;
      return {
        met,
        words: `The figure is ${told}, ${met ? '' : 'not '}${condition.type} ${numberWords(condition.value)}`,
      };
    }
    case 'changes':
      return changeVerdict(condition.percent, value, before);
  }
}

function changeVerdict(percent: number, value: number, before: number | null): Verdict {
  if (before === null)
    return { met: false, words: `The figure is ${numberWords(value)}; there is nothing to compare it with` };
  const changed = before === value ? 0 : (100 * Math.abs(value - before)) / Math.abs(before);
  const by = Number.isFinite(changed) ? ` (${percentWords(changed)})` : '';
  return {
    met: changed >= percent,
    words: `The figure went from ${numberWords(before)} to ${numberWords(value)}${by}`,
  };
}
