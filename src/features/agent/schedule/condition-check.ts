import { Injectable } from '@nestjs/common';
import type { Comparison, Filter } from '../../../ports/analysis-plan.js';
import { Log } from '../../../ports/log.js';
import { measureWords, SIGNS } from '../../../plan/wording.js';
import type { TableRef } from '../../../ports/table.js';
import { AppError, isAppError, messageOf } from '../../../shared/app-error.js';
import { DatasourceFacade } from '../../datasource/datasource.facade.js';
import { KeptQueries } from '../../datasource/joinable-tables.facade.js';
import { versionsOf } from '../run/run-worker.js';
import { RunRepository } from '../run/run.repository.js';
import type { AgentTask } from '../tasks/task.schema.js';
import type { Threshold, Verdict } from './condition.js';
import { MINUTE_MS } from '../../../shared/durations.js';

/** Says whether a due task is worth a run, at the cost of a comparison or two small queries. */
@Injectable()
export class ConditionCheck {
  constructor(
    private readonly datasources: DatasourceFacade,
    private readonly queries: KeptQueries,
    private readonly runs: RunRepository,
    private readonly log: Log,
  ) {}

  /** Never rejects: a condition that can't be checked lets the run begin, which then says what is wrong or misses no alarm. */
  async verdictOn(task: AgentTask): Promise<Verdict> {
    const { condition } = task;
    try {
      if (condition.type === 'always') return { met: true, reason: null };
      return condition.type === 'new_data' ? await this.newData(task) : await this.threshold(task, condition);
    } catch (error) {
      if (!isAppError(error)) this.log.error('a condition failed', { taskId: task.id, reason: messageOf(error) });
      const why = isAppError(error) ? error.message : 'the reason is in the log';
      return { met: true, reason: `the condition could not be checked: ${why}` };
    }
  }

  private async newData({ companyId, id, datasources }: AgentTask): Promise<Verdict> {
    const last = await this.runs.lastDone(companyId, id);
    if (last === null) return { met: true, reason: 'no run has ended well before' };
    const found = await this.datasources.findAll(companyId, datasources);
    const versions = versionsOf(found);
    const changed = datasources.findIndex((each) => versions[each] !== last.versions[each]);
    if (changed === -1) return { met: false, reason: 'no datasource has new rows since the last run that ended well' };
    const name = found[changed]?.name;
    return { met: true, reason: name === undefined ? 'a datasource was deleted' : `"${name}" has new rows` };
  }

  private async threshold({ companyId }: AgentTask, threshold: Threshold): Promise<Verdict> {
    const { table, profile } = await this.datasources.get(companyId, threshold.datasourceId);
    if (table === null || profile === null) throw new AppError('conflict', 'its datasource has no rows yet');
    const { timeField } = profile;
    const filters = await this.windowOf(table, timeField, threshold.windowMinutes);
    const measure = { aggregate: threshold.aggregate, column: threshold.column, label: 'figure' };
    const figure = await this.queries.figure(table, measure, filters);
    if (typeof figure !== 'number')
      return { met: false, reason: `there is no ${figureWords(threshold)}: no row has a value` };
    return { met: holds(threshold, figure), reason: verdictWords(threshold, figure) };
  }

  /** Up to the newest row, not to now: what was measured last counts, however long ago it was sent. */
  private async windowOf(table: TableRef, timeField: string, minutes: number | null): Promise<readonly Filter[]> {
    if (minutes === null) return [];
    const newest = await this.queries.newest(table, timeField);
    if (newest === null) return [];
    const from = new Date(newest.getTime() - minutes * MINUTE_MS).toISOString();
    return [{ kind: 'time', column: timeField, from, to: null }];
  }
}

const COMPARISONS: Readonly<Record<Comparison, (figure: number, value: number) => boolean>> = {
  '<': (figure, value) => figure < value,
  '<=': (figure, value) => figure <= value,
  '>': (figure, value) => figure > value,
  '>=': (figure, value) => figure >= value,
  '=': (figure, value) => figure === value,
  '!=': (figure, value) => figure !== value,
};

export function holds({ operator, value }: Threshold, figure: number): boolean {
  return COMPARISONS[operator](figure, value);
}

/** What a threshold looks at: `average temperature of the last 60 minutes`. */
function figureWords({ aggregate, column, windowMinutes }: Threshold): string {
  const figure = measureWords({ aggregate, column });
  return windowMinutes === null ? figure : `${figure} of the last ${windowMinutes} minutes`;
}

/** How a figure stands to its threshold: `average temperature is 21.3, not above 25`. */
export function verdictWords(threshold: Threshold, figure: number): string {
  const { operator, value } = threshold;
  const not = holds(threshold, figure) ? '' : 'not ';
  return `${figureWords(threshold)} is ${rounded(figure)}, ${not}${SIGNS[operator]} ${rounded(value)}`;
}

/** Whole numbers exactly, others to four decimals, small ones to six digits. */
function rounded(figure: number): string {
  if (Number.isInteger(figure)) return String(figure);
  return String(Number(Math.abs(figure) < 1 ? figure.toPrecision(6) : figure.toFixed(4)));
}
