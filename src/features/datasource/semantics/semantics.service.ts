import { Injectable } from '@nestjs/common';
import { assertColumns, planFrom } from '../../../answering/given-plan.js';
import { planOf } from '../../../answering/told-plan.js';
import type { AggregatePlan } from '../../../ports/analysis-plan.js';
import { Clock } from '../../../ports/clock.js';
import { IdSource } from '../../../ports/id-source.js';
import {
  type Metric,
  NO_SEMANTICS,
  type TableSemantics,
  type ColumnFormat,
  type ColumnSemantics,
} from '../../../ports/table-semantics.js';
import { AppError, type FieldProblem, isAppError } from '../../../shared/app-error.js';
import type { DatasourceId } from '../../../shared/ids.js';
import { assertMayManage, mayManage, type Principal } from '../../../shared/principal.js';
import { readyTable } from '../visible-table.js';
import { DatasourceRepository } from '../datasource.repository.js';
import type { Datasource } from '../datasource.types.js';
import { KeptQueries } from '../joinable-tables.facade.js';
import { SemanticsRepository } from './semantics.repository.js';
import type { SemanticsVersion } from './semantics.schema.js';
import { roleOf } from '../../../plan/column-roles.js';
import { isNumeric, type ColumnProfile, type TableProfile } from '../../../ports/table.js';

export interface CurrentSemantics {
  /** Of the datasource. */
  readonly name: string;
  readonly semantics: TableSemantics;
  /** 0 as long as nothing was written. */
  readonly version: number;
  readonly updatedAt: Date | null;
  /** Whether who reads it may write it, too. */
  readonly editable: boolean;
}

/** What the table of a datasource means to its company. */
@Injectable()
export class SemanticsService {
  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly versions: SemanticsRepository,
    private readonly queries: KeptQueries,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** The last version, or the older one that is named. @throws AppError `not_found` */
  async get(by: Principal, id: DatasourceId, version?: number): Promise<CurrentSemantics> {
    const datasource = await this.datasources.get(by.companyId, id);
    const found = await this.versions.of(by.companyId, id, version);
    if (found === null && version !== undefined) throw new AppError('not_found', 'there is no such version');
    return currentOf(found, datasource, mayManage(by, datasource));
  }

  /** Proposed from the table itself; nothing is kept. @throws AppError `conflict` without rows. */
  async draft(by: Principal, id: DatasourceId): Promise<TableSemantics> {
    return draftOf(readyTable(await this.datasources.get(by.companyId, id), this.clock.now()).profile);
  }

  /**
   * Keeps a new version in place of the one that its writer has seen (0: none), for the creator of the datasource and managers. Each of
   * its plans is run before.
   *
   * @throws AppError `forbidden`, `invalid_input`, or `conflict` when somebody has written another one since, or there are no rows.
   */
  async put(by: Principal, id: DatasourceId, semantics: WrittenSemantics, version: number): Promise<CurrentSemantics> {
    const datasource = await this.datasources.get(by.companyId, id);
    assertMayManage(by, datasource);
    const last = await this.versions.of(by.companyId, id);
    if ((last?.version ?? 0) !== version) throw hasChanged(version);
    const written = {
      id: this.ids.next<SemanticsVersion['id']>(),
      companyId: by.companyId,
      datasourceId: id,
      version: version + 1,
      semantics: await this.check(datasource, semantics),
      createdBy: by.userId,
      createdAt: this.clock.now(),
    };
    await this.versions.insert(written).catch((error: unknown) => {
      throw isAppError(error, 'conflict') ? hasChanged(version) : error;
    });
    await this.datasources.assertStillThere(by.companyId, id, () => this.versions.removeOf(by.companyId, id));
    return currentOf(written, datasource, true);
  }

  /** As `put` would keep it; nothing is kept. @throws AppError `invalid_input`, or `conflict` without rows. */
  async checked(by: Principal, id: DatasourceId, semantics: WrittenSemantics): Promise<TableSemantics> {
    return this.check(await this.datasources.get(by.companyId, id), semantics);
  }

  private check(datasource: Datasource, written: WrittenSemantics): Promise<TableSemantics> {
    const { table, profile } = readyTable(datasource, this.clock.now());
    return checked(written, profile, (plan) => this.queries.run(table, { plan, sql: null }, 1));
  }
}

function currentOf(found: SemanticsVersion | null, datasource: Datasource, editable: boolean): CurrentSemantics {
  return {
    name: datasource.name,
    semantics: found?.semantics ?? NO_SEMANTICS,
    version: found?.version ?? 0,
    updatedAt: found?.createdAt ?? null,
    editable,
  };
}

function hasChanged(version: number): AppError {
  return new AppError('conflict', `the description is not at version ${version} any more: read it again`);
}

const MOST_COLUMNS = 1000;
/** Of a column whose values are a list of categories. */
const MOST_VALUES = 30;
const LAST_IN_BRACKETS = /[([{]([^()[\]{}]{1,30})[)\]}]\s*$/;
const CURRENCY = /^(?:[€$£¥₹]|eur|euros?|usd|gbp|chf|jpy|inr|cny|pln|sek|nok|dkk|dollars?)$/i;

/** What a table says about itself: a first version for people to correct. */
function draftOf(profile: TableProfile): TableSemantics {
  return {
    ...NO_SEMANTICS,
    columns: profile.columns.slice(0, MOST_COLUMNS).map((column) => columnDraft(column, profile)),
  };
}

function columnDraft(column: ColumnProfile, profile: TableProfile): ColumnSemantics {
  const unit = isNumeric(column.type) ? (LAST_IN_BRACKETS.exec(column.name)?.[1]?.trim() ?? '') : '';
  return {
    name: column.name,
    description: '',
    synonyms: [],
    unit,
    format: formatOf(unit),
    role: roleOf(column, profile),
    allowedValues: allowedValues(column, profile),
  };
}

function formatOf(unit: string): ColumnFormat {
  if (unit === '%') return 'percent';
  return CURRENCY.test(unit) ? 'currency' : '';
}

/** Of categories: few values, each of which several rows have. */
function allowedValues({ type, distinct, topValues }: ColumnProfile, { rowCount }: TableProfile): readonly string[] {
  const isWhole = topValues.length === distinct;
  if (type !== 'text' || !isWhole || distinct > MOST_VALUES || distinct * 2 > rowCount) return [];
  return topValues.map(({ value }) => value);
}

/** As its writer has it: nobody has read the plans yet. */
export interface WrittenSemantics extends Omit<TableSemantics, 'metrics' | 'filters'> {
  readonly metrics: readonly (Omit<Metric, 'plan'> & { readonly plan: Readonly<Record<string, unknown>> })[];
  readonly filters: readonly Readonly<Record<string, unknown>>[];
}

const MAX_CHARACTERS = 512 * 1024;
const MOST_PROBLEMS = 20;

type Run = (plan: AggregatePlan) => Promise<unknown>;

/** What somebody writes about a table, with plans that were each run. @throws AppError `invalid_input`, which names all fields that do not fit. */
async function checked(written: WrittenSemantics, profile: TableProfile, run: Run): Promise<TableSemantics> {
  const problems = [...columnProblems(written, profile), ...nameProblems(written)];
  const metrics: Metric[] = [];
  for (const [place, metric] of written.metrics.entries()) {
    const plan = await figureOf(metric.plan, metric.name, profile, run).catch(
      keepIn(problems, (field) => `semantics.metrics.${place}.${field}`),
    );
    if (plan !== null) metrics.push({ ...metric, plan });
  }
  const rowsThatCount = { measures: [{ aggregate: 'count', label: 'rows' }], filters: written.filters };
  const counted =
    written.filters.length === 0
      ? null
      : await figureOf(rowsThatCount, 'rows', profile, run).catch(
          keepIn(problems, (field) => `semantics.${field === 'plan' ? 'filters' : field.slice('plan.'.length)}`),
        );
  if (problems.length > 0) throw refusal(problems);
  const semantics = { ...written, metrics, filters: counted?.filters ?? [] };
  if (JSON.stringify(semantics).length <= MAX_CHARACTERS) return semantics;
  throw refusal([{ field: 'semantics', problem: `semantics must not have more than ${MAX_CHARACTERS} characters` }]);
}

async function figureOf(
  written: Readonly<Record<string, unknown>>,
  name: string,
  profile: TableProfile,
  run: Run,
): Promise<AggregatePlan> {
  const plan = planFrom(planOf({ ...written, kind: 'aggregate' }, profile));
  if (plan.kind !== 'aggregate') throw notOneFigure();
  assertOneFigure(plan);
  assertColumns(plan, { profile });
  const named = withName(plan, name);
  await run(named);
  return named;
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
