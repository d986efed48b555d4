import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { planAt } from '../../plan/moving-times.js';
import type { AnalysisPlan, Filter, Measure } from '../../ports/analysis-plan.js';
import type { JoinedBriefing } from '../../ports/chat-model.js';
import { Clock } from '../../ports/clock.js';
import { RowReader } from '../../ports/row-reader.js';
import { MAIN_TABLE, type Cell, type QueryResult, type TableRef, type TableRelation } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import type { CompanyId, DatasourceId } from '../../shared/ids.js';
import { DatasourceFacade, type ReadableDatasource } from './datasource.facade.js';
import { cardinalityOf, type Relation } from './relations/relation.schema.js';
import { RelationsRepository } from './relations/relations.repository.js';
import type { KnownTable } from './visible-table.js';

/** Datasources that one question may be about together. */
export const MOST_TOGETHER = 5;

/** A datasource among others: its table knows which of them it may be joined with. */
export interface JoinableDatasource extends ReadableDatasource {
  readonly joined: readonly JoinedBriefing[];
}

/** Datasources that a kept query joins, and the names that the query knows them by: whatever they are called later. */
export type JoinedDatasources = readonly { readonly id: DatasourceId; readonly name: string }[];

/** What is kept of a query, to be run again: of a board, an alert, a verified answer. */
export interface KeptQuery {
  readonly datasourceId: DatasourceId;
  /** Besides the main one. */
  readonly others?: JoinedDatasources | undefined;
}

/** A plan or a statement. */
export interface Query {
  readonly plan: AnalysisPlan | null;
  readonly sql: string | null;
}

/** Of a body: the main datasource is the first, and none is there twice. */
export function idsFrom(
  main: DatasourceId,
  others: readonly DatasourceId[] = [],
): readonly [DatasourceId, ...DatasourceId[]] {
  return [main, ...new Set(others.filter((id) => id !== main))];
}

type WithRows = ReadableDatasource & KnownTable;

/** One way along a relation. */
interface Step {
  readonly relation: Relation;
  readonly from: DatasourceId;
  readonly to: DatasourceId;
}

/** Reads several datasources of one question with what people have confirmed of how they belong together. */
@Injectable()
export class JoinableTables {
  constructor(
    private readonly datasources: DatasourceFacade,
    private readonly relations: RelationsRepository,
  ) {}

  /**
   * In the order of the ids, those that have no rows too. The first has to be there; another that is gone is left out.
   *
   * @throws AppError `not_found`
   */
  async get(
    companyId: CompanyId,
    [first, ...others]: readonly DatasourceId[],
    called: JoinedDatasources = [],
  ): Promise<readonly JoinableDatasource[]> {
    if (first === undefined) return [];
    const [main, ...found] = await Promise.all([
      this.datasources.get(companyId, first),
      ...others.map((id) => this.datasources.find(companyId, id)),
    ]);
    const all = [main, ...found.filter((one) => one !== null)];
    if (all.length === 1) return [{ ...main, joined: [] }];
    const relations = await this.relations.confirmedAmong(
      companyId,
      all.map(({ id }) => id),
    );
    const names = new Map(statementNames(all.map(({ name }) => name)).map((name, at) => [all[at]?.id, name]));
    for (const { id, name } of called) names.set(id, name);
    const ready = all.filter(hasRows);
    const nameOf = (id: DatasourceId): string => names.get(id) ?? '';
    return all.map((one) => (hasRows(one) ? joinable(one, ready, relations, nameOf) : { ...one, joined: [] }));
  }

  /**
   * The main datasource of a kept query, joined with the others under the names that it knows them by; null when it is gone. Its version
   * changes when rows of any of them do.
   *
   * @throws AppError `invalid_input` when another is gone, or no confirmed relation leads there any more.
   */
  async findKept(companyId: CompanyId, { datasourceId, others = [] }: KeptQuery): Promise<JoinableDatasource | null> {
    const main = await this.datasources.find(companyId, datasourceId);
    if (main === null || others.length === 0) return main === null ? null : { ...main, joined: [] };
    const ids = [datasourceId, ...others.map(({ id }) => id)];
    const [joined, ...found] = await this.get(companyId, ids, others);
    if (joined === undefined || !hasRows(joined)) return joined ?? null;
    assertJoined(joined, found, others);
    return { ...joined, version: [joined, ...found].map(({ version }) => version).join(' ') };
  }

  /** As of `DatasourceFacade`. */
  alsoRemove(dependents: Parameters<DatasourceFacade['alsoRemove']>[0]): void {
    this.datasources.alsoRemove(dependents);
  }

  /** As `findKept`. @throws AppError `not_found` when the main one is gone. */
  async getKept(companyId: CompanyId, query: KeptQuery): Promise<JoinableDatasource> {
    const found = await this.findKept(companyId, query);
    return found ?? { ...(await this.datasources.get(companyId, query.datasourceId)), joined: [] };
  }

  /** As `othersOf`, of datasources that somebody names. @throws AppError `not_found` when one of them is not there. */
  async othersNamed(companyId: CompanyId, ids: readonly DatasourceId[], query: Query): Promise<JoinedDatasources> {
    for (const id of ids) await this.datasources.get(companyId, id);
    return this.othersOf(companyId, ids, query);
  }

  /** Which of these datasources a query of the first joins; none when that is gone. */
  async othersOf(companyId: CompanyId, ids: readonly DatasourceId[], query: Query): Promise<JoinedDatasources> {
    const [first] = ids;
    if (first === undefined || ids.length < 2 || !(await this.datasources.exists(companyId, first))) return [];
    const [main] = await this.get(companyId, ids);
    return main === undefined ? [] : joinedBy(query, main);
  }
}

/** Runs what is kept of a query, of a board, an alert or a verified answer, through the gate that every plan and all SQL passes. */
@Injectable()
export class KeptQueries {
  constructor(
    private readonly rows: RowReader,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** Of the dates that are now meant. @throws AppError as the row reader does. */
  run(table: TableRef, { plan, sql }: Query, maxRows: number): Promise<QueryResult> {
    const limits = { maxRows, timeoutMs: this.config.limits.queryTimeoutMs };
    return plan === null
      ? this.rows.query(table, sql ?? '', limits)
      : this.rows.analyze(table, planAt(plan, this.clock.now()), limits);
  }

  /** One figure of the rows that fit; null: no row has one. @throws AppError as the row reader does. */
  async figure(table: TableRef, measure: Measure, filters: readonly Filter[] = []): Promise<Cell> {
    const whole = { dimensions: [], having: [], order: [], limit: 1 };
    const plan = { kind: 'aggregate', measures: [measure], filters, ...whole } as const;
    const { rows } = await this.run(table, { plan, sql: null }, 1);
    return rows[0]?.[0] ?? null;
  }

  /** The newest time in a column; null: no row has one. @throws AppError as the row reader does. */
  async newest(table: TableRef, column: string): Promise<Date | null> {
    const newest = await this.figure(table, { aggregate: 'max', column, label: 'newest' });
    return typeof newest === 'string' ? new Date(newest) : null;
  }
}

/** @throws AppError `invalid_input` naming the first that is gone, or can't be joined any more. */
function assertJoined(main: WithRows, found: readonly JoinableDatasource[], others: JoinedDatasources): void {
  for (const { id, name } of others) {
    const other = found.find((one) => one.id === id);
    if (other === undefined)
      throw new AppError('invalid_input', `the datasource that is joined as ${name} was deleted`);
    if (main.table.joinable?.tables.some((one) => one.table.datasourceId === id) === true) continue;
    const why = hasRows(other) ? 'there is no confirmed relation between them any more' : `"${other.name}" has no rows`;
    throw new AppError('invalid_input', `"${main.name}" can't be joined with "${other.name}": ${why}`);
  }
}

function joinedBy({ plan, sql }: Query, { table, joined }: JoinableDatasource): JoinedDatasources {
  const all = (table?.joinable?.tables ?? []).map(({ name, table: { datasourceId: id } }) => ({ id, name }));
  if (plan === null) return all.filter(({ name }) => new RegExp(String.raw`\b${name}\b`, 'i').test(sql ?? ''));
  const along = joined.find(({ relation }) => relation === plan.join?.relation);
  return all.filter(({ name }) => name === along?.table);
}

function hasRows(datasource: ReadableDatasource): datasource is WithRows {
  return datasource.table !== null && datasource.profile !== null;
}

function joinable(
  main: WithRows,
  all: readonly WithRows[],
  relations: readonly Relation[],
  nameOf: (id: DatasourceId) => string,
): JoinableDatasource {
  const steps = stepsFrom(main.id, new Set(all.map(({ id }) => id)), relations);
  const reached = all
    .filter(({ id }) => id !== main.id && steps.some(({ to }) => to === id))
    .slice(0, MOST_TOGETHER - 1);
  if (reached.length === 0) return { ...main, joined: [] };
  const called = (id: DatasourceId): string => (id === main.id ? MAIN_TABLE : nameOf(id));
  const tables = reached.map(({ id, table }) => ({ name: nameOf(id), table }));
  const kept = new Set([main.id, ...reached.map(({ id }) => id)]);
  const along = steps
    .filter(({ from, to }) => kept.has(from) && kept.has(to))
    .map((step) => ({ step, relation: relationOf(step, called) }));
  const joined = along.flatMap(({ step, relation }): JoinedBriefing[] => {
    const other = all.find(({ id }) => id === step.to);
    if (step.from !== main.id || other === undefined) return [];
    const { name, profile, semantics } = other;
    const { id, right: table, on } = relation;
    return [{ relation: id, table, name, on, profile, semantics, isSingle: isSingle(step) }];
  });
  const joinableWith = { tables, relations: along.map(({ relation }) => relation) };
  return { ...main, table: { ...main.table, joinable: joinableWith }, joined };
}

/** Relations in the order in which they lead away from a datasource. */
function stepsFrom(
  start: DatasourceId,
  known: ReadonlySet<DatasourceId>,
  relations: readonly Relation[],
): readonly Step[] {
  const reached = new Set([start]);
  const steps: Step[] = [];
  for (const from of reached) {
    for (const relation of relations) {
      const { leftId, rightId } = relation;
      const to = leftId === from ? rightId : rightId === from ? leftId : null;
      if (to === null || !known.has(to) || steps.some((step) => step.relation === relation)) continue;
      steps.push({ relation, from, to });
      reached.add(to);
    }
  }
  return steps;
}

function relationOf({ relation, from, to }: Step, called: (id: DatasourceId) => string): TableRelation {
  const isTurned = relation.leftId !== from;
  const on = relation.on.map(({ left, right }) => (isTurned ? ([right, left] as const) : ([left, right] as const)));
  return { id: relation.id, left: called(from), right: called(to), on };
}

/** Each row has at most one there. */
function isSingle({ relation: { measure, leftId }, from }: Step): boolean {
  const cardinality = cardinalityOf(measure);
  return cardinality === 'one-one' || cardinality === (leftId === from ? 'many-one' : 'one-many');
}

const LONGEST_NAME = 40;
/** Words of SQL that name no table without quotes. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'all analyse analyze and anti any array as asc asof asymmetric at authorization binary both by case cast check collate collation column ' +
    'concurrently constraint create cross current default deferrable desc describe distinct do else end except exists false fetch for foreign ' +
    'freeze from full generated glob grant group having ilike in initially inner intersect into is isnull join lambda lateral leading left ' +
    'like limit map natural not notnull null of offset on only or order outer overlaps pivot pivot_longer pivot_wider placing positional ' +
    'primary qualify references returning right row rows select semi show similar some struct summarize symmetric table tablesample then ' +
    'to trailing true try_cast union unique unpivot using values variadic verbose when where window with'
  ).split(' '),
);
/** Views of the engine are called so. */
const OF_ENGINE = /^(?:duckdb|sqlite|pg|pragma|information)_/;

/** What statements call datasources: their names in small letters, digits and `_`, no two alike. */
function statementNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>([MAIN_TABLE]);
  return names.map((name) => {
    const plain = plainName(name);
    let free = plain;
    for (let number = 2; taken.has(free); number++) free = `${plain}_${number}`;
    taken.add(free);
    return free;
  });
}

function plainName(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\.(?:csv|xlsx|parquet|json|tsv|txt)$/, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, LONGEST_NAME);
  const isFree = /^[a-z]/.test(words) && !RESERVED.has(words) && !OF_ENGINE.test(words);
  return isFree ? words : `table_${words}`.replace(/_$/, '');
}
