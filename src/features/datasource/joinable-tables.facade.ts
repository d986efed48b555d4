import { Injectable } from '@nestjs/common';
import type { JoinedBriefing } from '../../ports/chat-model.js';
import { MAIN_TABLE, type TableRef, type TableRelation } from '../../ports/table.js';
import type { CompanyId, DatasourceId } from '../../shared/ids.js';
import { DatasourceFacade, type ReadableDatasource } from './datasource.facade.js';
import { cardinalityOf } from './relations/relation-facts.js';
import type { Relation } from './relations/relation.schema.js';
import { RelationsRepository } from './relations/relations.repository.js';
import { statementNames } from './relations/statement-names.js';

/** Datasources that one question may be about together. */
export const MOST_TOGETHER = 5;

/** A datasource among others: its table knows which of them it may be joined with. */
export interface JoinableDatasource extends ReadableDatasource {
  readonly joined: readonly JoinedBriefing[];
}

interface WithRows extends ReadableDatasource {
  readonly table: TableRef;
  readonly profile: NonNullable<ReadableDatasource['profile']>;
}

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
  async get(companyId: CompanyId, [first, ...others]: readonly DatasourceId[]): Promise<readonly JoinableDatasource[]> {
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
    const ready = all.filter(hasRows);
    const nameOf = (id: DatasourceId): string => names.get(id) ?? '';
    return all.map((one) => (hasRows(one) ? joinable(one, ready, relations, nameOf) : { ...one, joined: [] }));
  }
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
    return [
      {
        relation: relation.id,
        table: relation.right,
        name,
        on: relation.on,
        profile,
        semantics,
        isSingle: isSingle(step),
      },
    ];
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
