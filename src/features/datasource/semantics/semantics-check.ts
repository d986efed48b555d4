import { Injectable } from '@nestjs/common';
import { assertColumns, planFrom } from '../../../answering/given-plan.js';
import { planOf } from '../../../answering/told-plan.js';
import { AppConfig } from '../../../config/app-config.js';
import type { AggregatePlan } from '../../../ports/analysis-plan.js';
import { RowReader } from '../../../ports/row-reader.js';
import type { Metric, TableSemantics } from '../../../ports/table-semantics.js';
import type { TableProfile } from '../../../ports/table.js';
import { AppError, isAppError, type FieldProblem } from '../../../shared/app-error.js';
import type { KnownTable } from '../visible-table.js';

/** As its writer has it: nobody has read the plans yet. */
export interface WrittenSemantics extends Omit<TableSemantics, 'metrics' | 'filters'> {
  readonly metrics: readonly (Omit<Metric, 'plan'> & { readonly plan: Readonly<Record<string, unknown>> })[];
  readonly filters: readonly Readonly<Record<string, unknown>>[];
}

const MAX_CHARACTERS = 512 * 1024;
const MOST_PROBLEMS = 20;

/** Checks what somebody writes about a table against its rows. */
@Injectable()
export class SemanticsCheck {
  constructor(
    private readonly rows: RowReader,
    private readonly config: AppConfig,
  ) {}

  /** With plans that were each run. @throws AppError `invalid_input`, which names all fields that do not fit. */
  async checked(written: WrittenSemantics, rows: KnownTable): Promise<TableSemantics> {
    const problems = [...columnProblems(written, rows.profile), ...nameProblems(written)];
    const metrics: Metric[] = [];
    for (const [place, metric] of written.metrics.entries()) {
      const plan = await this.plan(metric.plan, metric.name, rows).catch(
        keepIn(problems, (field) => `semantics.metrics.${place}.${field}`),
      );
      if (plan !== null) metrics.push({ ...metric, plan });
    }
    const rowsThatCount = { measures: [{ aggregate: 'count', label: 'rows' }], filters: written.filters };
    const counted =
      written.filters.length === 0
        ? null
        : await this.plan(rowsThatCount, 'rows', rows).catch(
            keepIn(problems, (field) => `semantics.${field === 'plan' ? 'filters' : field.slice('plan.'.length)}`),
          );
    if (problems.length > 0) throw refusal(problems);
    const semantics = { ...written, metrics, filters: counted?.filters ?? [] };
    if (JSON.stringify(semantics).length > MAX_CHARACTERS) {
      throw refusal([
        { field: 'semantics', problem: `semantics must not have more than ${MAX_CHARACTERS} characters` },
      ]);
    }
    return semantics;
  }

  private async plan(
    written: Readonly<Record<string, unknown>>,
    name: string,
    { table, profile }: KnownTable,
  ): Promise<AggregatePlan> {
    const plan = planFrom(planOf({ ...written, kind: 'aggregate' }, profile));
    if (plan.kind !== 'aggregate') throw notOneFigure();
    assertOneFigure(plan);
    assertColumns(plan, { profile });
    const named = withName(plan, name);
    await this.rows.analyze(table, named, { maxRows: 1, timeoutMs: this.config.limits.queryTimeoutMs });
    return named;
  }
}

function assertOneFigure(plan: AggregatePlan): void {
  const { measures, computed = [], dimensions, having, order, each = [] } = plan;
  const isOne =
    computed.length === 0 ? measures.length === 1 : computed.length === 1 && !computed.some((one) => 'of' in one);
  const others = [...dimensions, ...having, ...order, ...each].length;
  if (!isOne || others > 0 || plan.limit !== null || plan.skip !== undefined || plan.summary !== undefined) {
    throw notOneFigure();
  }
}

function notOneFigure(): AppError {
  return new AppError(
    'invalid_input',
    'a plan here is one measure, or one figure computed from two, with filters and derived columns and nothing else',
  );
}

/** Its figure is called as the metric is. */
function withName({ measures, computed = [], ...rest }: AggregatePlan, label: string): AggregatePlan {
  return computed.length === 0
    ? { ...rest, measures: measures.map((one) => ({ ...one, label })) }
    : { ...rest, measures, computed: computed.map((one) => ({ ...one, label })) };
}

/** Keeps what is wrong with a plan, to tell it with all the rest; a field of the plan begins with `plan`. */
function keepIn(problems: FieldProblem[], nameOf: (field: string) => string): (error: unknown) => null {
  return (error) => {
    if (!isAppError(error, 'invalid_input')) throw error;
    const { details, message } = error;
    const own = details.length > 0 ? details : [{ field: 'plan', problem: message }];
    problems.push(...own.map(({ field, problem }) => ({ field: nameOf(field), problem })));
    return null;
  };
}

function columnProblems({ columns }: WrittenSemantics, profile: TableProfile): FieldProblem[] {
  const known = new Set(profile.columns.map(({ name }) => name));
  return columns.flatMap(({ name }, place) => {
    const field = `semantics.columns.${place}.name`;
    if (!known.has(name)) return [{ field, problem: `there is no column "${name.slice(0, 100)}"` }];
    const isDouble = columns.findIndex((other) => other.name === name) < place;
    return isDouble ? [{ field, problem: `the column "${name.slice(0, 100)}" is there twice` }] : [];
  });
}

/** One name can't stand for two figures. */
function nameProblems({ metrics }: WrittenSemantics): FieldProblem[] {
  const taken = new Set<string>();
  return metrics.flatMap(({ name, synonyms }, place) => {
    const names = [...new Set([name, ...synonyms].map((one) => one.trim().toLowerCase()))];
    const double = names.find((one) => one === '' || taken.has(one));
    for (const one of names) taken.add(one);
    if (double === undefined) return [];
    const problem = double === '' ? 'a metric needs a name' : `"${double}" is the name of two metrics`;
    return [{ field: `semantics.metrics.${place}.name`, problem }];
  });
}

function refusal(problems: readonly FieldProblem[]): AppError {
  const [first] = problems;
  const message = first === undefined ? 'the description is not valid' : `${first.field}: ${first.problem}`;
  return new AppError('invalid_input', message, { details: problems.slice(0, MOST_PROBLEMS) });
}
