import { Injectable } from '@nestjs/common';
import { cardinalityOf, overlapOf, type Relation, RELATIONS, type RelationState } from './relation.schema.js';
import { AppConfig } from '../../../config/app-config.js';
import { Clock } from '../../../ports/clock.js';
import { type JoinMeasure, RowReader } from '../../../ports/row-reader.js';
import { type ColumnPair, type ColumnProfile, isNumeric } from '../../../ports/table.js';
import { visibleNames } from '../../../plan/visible-names.js';
import { AppError, invalidField, onKind } from '../../../shared/app-error.js';
import { asId, type DatasourceId, type RelationId } from '../../../shared/ids.js';
import type { Page, PageOf } from '../../../shared/page.js';
import { mayManage, type Principal } from '../../../shared/principal.js';
import { sha256 } from '../../../shared/checksum.js';
import { type KnownTable, readyTable } from '../visible-table.js';
import { DatasourceRepository } from '../datasource.repository.js';
import type { Datasource } from '../datasource.types.js';
import { RelationsRepository } from './relations.repository.js';

/** A relation, and the names of what it relates. */
export interface NamedRelation {
  readonly relation: Relation;
  readonly leftName: string;
  readonly rightName: string;
  /** Whether who reads it may confirm or dismiss it. */
  readonly decidable: boolean;
}

export interface ProposalRequest {
  readonly first: DatasourceId;
  readonly second: DatasourceId;
  /** Of the first and the second; null: found by names and values. */
  readonly on: readonly ColumnPair[] | null;
}

/** A datasource with rows, and its columns as statements know them. */
interface Side extends KnownTable {
  readonly datasource: Datasource;
}

/** The first has the lower id. */
type Sides = readonly [Side, Side];

type Measured = Pick<Relation, 'measure'> & { readonly on: readonly ColumnPair[] };

const MOST_PROPOSED = 5;
/** Percent; fewer keys in common are chance where no side has each once. */
const ENOUGH_SHARED = 20;
const MOST_COMBINED = 3;

/** Relations between the datasources of a company: measured by the service, confirmed by people. */
@Injectable()
export class RelationsService {
  constructor(
    private readonly relations: RelationsRepository,
    private readonly datasources: DatasourceRepository,
    private readonly rows: RowReader,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** Newest first. @throws AppError `not_found` for a datasource that is not the company's. */
  async list(by: Principal, datasourceId: DatasourceId | null, page: Page): Promise<PageOf<NamedRelation>> {
    if (datasourceId !== null) await this.datasources.get(by.companyId, datasourceId);
    const all = await this.relations.list(by.companyId, datasourceId);
    const shown = all.slice(page.index * page.size, (page.index + 1) * page.size);
    return { entries: await this.allNamed(by, shown), total: all.length };
  }

  /**
   * Measures on the rows how two datasources may belong together, and keeps what is likely as a proposal. What was confirmed or dismissed before
   * stays so, and is measured anew.
   *
   * @throws AppError `not_found`, `invalid_input`, `conflict` without rows, `timed_out`
   */
  async propose(by: Principal, { first, second, on }: ProposalRequest): Promise<readonly NamedRelation[]> {
    const isInOrder = first < second;
    const [leftId, rightId] = isInOrder ? [first, second] : [second, first];
    const sides = await Promise.all([this.side(by, leftId), this.side(by, rightId)]);
    if (first === second) throw new AppError('invalid_input', 'datasource_ids must name two different datasources');
    const wanted = isInOrder ? on : (on?.map(([own, other]): ColumnPair => [other, own]) ?? null);
    const found = wanted === null ? await this.found(sides) : [await this.measured(sides, wanted)];
    const kept: Relation[] = [];
    for (const measured of found) kept.push(await this.relations.keep(this.proposal(by, sides, measured)));
    for (const id of [first, second]) {
      await this.datasources.assertStillThere(by.companyId, id, () => this.relations.removeOf(by.companyId, id));
    }
    return this.allNamed(by, kept);
  }

  /** @throws AppError `not_found`, `forbidden` for who has made neither datasource and is no manager */
  async decide(by: Principal, id: RelationId, state: Exclude<RelationState, 'proposed'>): Promise<NamedRelation> {
    const named = await this.decidable(by, id);
    const decision = { state, decidedBy: by.userId, decidedAt: this.clock.now() };
    const relation = await this.relations.swap(named.relation, {}, decision);
    if (relation === null) throw this.relations.missing();
    return { ...named, relation };
  }

  /** @throws AppError as `decide` */
  async delete(by: Principal, id: RelationId): Promise<void> {
    const { relation } = await this.decidable(by, id);
    if (!(await this.relations.remove(relation))) throw this.relations.missing();
  }

  private async decidable(by: Principal, id: RelationId): Promise<NamedRelation> {
    const named = await this.named(by, await this.relations.get(by.companyId, id));
    if (named === null) throw this.relations.missing();
    if (!named.decidable) throw new AppError('forbidden', 'forbidden');
    return named;
  }

  private async side(by: Principal, id: DatasourceId): Promise<Side> {
    const datasource = await this.datasources.get(by.companyId, id);
    const { table, profile } = readyTable(datasource, this.clock.now());
    const names = visibleNames(profile.columns.map(({ name }) => name));
    const columns = profile.columns.map((column, at) => ({ ...column, name: names[at] ?? column.name }));
    return { datasource, table, profile: { ...profile, columns } };
  }

  private async measured([left, right]: Sides, on: readonly ColumnPair[]): Promise<Measured> {
    for (const [own, other] of on) {
      assertColumn(left, own);
      assertColumn(right, other);
    }
    const limits = { maxRows: 1, timeoutMs: this.config.limits.queryTimeoutMs };
    const measure = await this.rows.measureJoin({ left: left.table, right: right.table, on }, limits);
    return { on, measure };
  }

  /** The likeliest pairs of columns, measured; where no one of them is a key, two of them together. */
  private async found(sides: Sides): Promise<readonly Measured[]> {
    const candidates = candidatesBetween(sides).map((pair) => [pair]);
    const shared = (await this.all(sides, candidates)).filter(({ measure }) => measure.shared > 0);
    const combined = shared.some(({ measure }) => hasKey(measure)) ? [] : await this.all(sides, pairsOf(shared));
    const keyed = combined.filter(({ measure }) => measure.shared > 0 && hasKey(measure));
    return [...keyed, ...shared.filter(({ measure }) => hasKey(measure) || overlapOf(measure) >= ENOUGH_SHARED)]
      .sort(
        (a, b) => Number(hasKey(b.measure)) - Number(hasKey(a.measure)) || overlapOf(b.measure) - overlapOf(a.measure),
      )
      .slice(0, MOST_PROPOSED);
  }

  private async all(sides: Sides, candidates: readonly (readonly ColumnPair[])[]): Promise<readonly Measured[]> {
    const measured: Measured[] = [];
    for (const on of candidates) {
      // What can't be equal is no proposal.
      const one = await this.measured(sides, on).catch(onKind('invalid_input', () => null));
      if (one !== null) measured.push(one);
    }
    return measured;
  }

  private proposal(by: Principal, [left, right]: Sides, { on, measure }: Measured): Relation {
    const [leftId, rightId] = [left.datasource.id, right.datasource.id];
    const now = this.clock.now();
    return {
      ...RELATIONS.blank,
      id: relationId(leftId, rightId, on),
      companyId: by.companyId,
      leftId,
      rightId,
      on: on.map(([own, other]) => ({ left: own, right: other })),
      measure,
      measuredAt: now,
      state: 'proposed',
      proposedBy: by.userId,
      createdAt: now,
    };
  }

  /** One whose datasource is being removed goes with it. */
  private async allNamed(by: Principal, relations: readonly Relation[]): Promise<readonly NamedRelation[]> {
    const named = await Promise.all(relations.map((relation) => this.named(by, relation)));
    return named.filter((one) => one !== null);
  }

  /** Null when a datasource of it is gone. */
  private async named(by: Principal, relation: Relation): Promise<NamedRelation | null> {
    const { companyId, leftId, rightId } = relation;
    const left = await this.datasources.find(companyId, leftId);
    const right = await this.datasources.find(companyId, rightId);
    if (left === null || right === null) return null;
    const decidable = mayManage(by, left) || mayManage(by, right);
    return { relation, leftName: left.name, rightName: right.name, decidable };
  }
}

/** The same for the same columns of the same datasources. */
function relationId(left: DatasourceId, right: DatasourceId, on: readonly ColumnPair[]): RelationId {
  const sorted = on.map((pair) => JSON.stringify(pair)).sort();
  return asId(sha256(JSON.stringify([left, right, sorted])).slice(0, 24));
}

/** Rows of one side have at most one partner. */
function hasKey(measure: JoinMeasure): boolean {
  return cardinalityOf(measure) !== 'many-many';
}

function pairsOf(single: readonly Measured[]): readonly (readonly ColumnPair[])[] {
  const pairs = single.slice(0, MOST_COMBINED).flatMap(({ on }) => on);
  return pairs.flatMap((one, at) =>
    pairs.slice(at + 1).flatMap((other) => (one[0] === other[0] || one[1] === other[1] ? [] : [[one, other]])),
  );
}

function assertColumn({ datasource, profile }: Side, name: string): void {
  if (profile.columns.some((column) => column.name === name)) return;
  const problem = `"${datasource.name}" has no column "${name.slice(0, 100)}"`;
  throw invalidField('columns', problem, `columns: ${problem}`);
}

const MOST = 6;
/** Names alone, or values alone, that are as near as this make two columns worth measuring. */
const ENOUGH = 0.5;
/** Words that say that something is a key, and not of what. */
const KEY_WORDS = new Set('id key code no nr num number ref reference uuid name pk fk'.split(' '));
const FEWEST_VALUES = 3;

/** Pairs of columns by which two tables may belong together, likeliest first: by their names, and by values that both have. */
function candidatesBetween([left, right]: Sides): readonly ColumnPair[] {
  const scored = left.profile.columns.flatMap((own) =>
    right.profile.columns.flatMap((other) => {
      const score = mayBeKeys(own, other) ? scoreOf(own, left.datasource.name, other, right.datasource.name) : 0;
      return score < ENOUGH ? [] : [{ pair: [own.name, other.name] as const, score }];
    }),
  );
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ pair }) => pair);
}

/** Texts and whole numbers; times and measurements are equal by chance. */
function mayBeKeys(own: ColumnProfile, other: ColumnProfile): boolean {
  const kinds = [own, other].map(({ type, distinct }) => distinct > 1 && (type === 'text' || isNumeric(type)));
  return kinds.every(Boolean) && !(own.type === 'number' && other.type === 'number');
}

function scoreOf(own: ColumnProfile, ownTable: string, other: ColumnProfile, otherTable: string): number {
  const names = nameScore(own.name, ownTable, other.name, otherTable);
  if (own.type === 'text' && other.type === 'text') return names + valueScore(own, other);
  return names >= ENOUGH && mayMeet(own, other) ? names : 0;
}

/** 1: the same name, or the name of the other's table and its key (`customer_id` and `id` of customers). */
function nameScore(own: string, ownTable: string, other: string, otherTable: string): number {
  const [one, two] = [wordsOf(own), wordsOf(other)];
  const [tellingOne, tellingTwo] = [tellingOf(one), tellingOf(two)];
  if (same(one, two)) return tellingOne.length === 0 ? ENOUGH : 1;
  if (pointsTo(one, two, otherTable) || pointsTo(two, one, ownTable)) return 1;
  if (same(tellingOne, tellingTwo)) return 0.8;
  const common = tellingOne.filter((word) => tellingTwo.includes(word)).length;
  return common / Math.max(tellingOne.length, tellingTwo.length, 1) >= ENOUGH ? ENOUGH : 0;
}

function tellingOf(words: readonly string[]): readonly string[] {
  return words.filter((word) => !KEY_WORDS.has(word));
}

/** `customer`, `customer id` and `id of customer` point to the key of a table of customers. */
function pointsTo(words: readonly string[], key: readonly string[], table: string): boolean {
  const named = words.filter((word) => !KEY_WORDS.has(word) && word !== 'of');
  const isKey = key.every((word) => KEY_WORDS.has(word));
  return isKey && named.length > 0 && named.every((word) => wordsOf(table).includes(word));
}

function same(one: readonly string[], two: readonly string[]): boolean {
  return one.length > 0 && one.length === two.length && one.every((word) => two.includes(word));
}

/** Of the frequent values of the one with fewer, the part that the other has too. */
function valueScore(own: ColumnProfile, other: ColumnProfile): number {
  const [fewer, more] = own.topValues.length <= other.topValues.length ? [own, other] : [other, own];
  if (fewer.topValues.length < FEWEST_VALUES) return 0;
  const known = new Set(more.topValues.map(({ value }) => value));
  return fewer.topValues.filter(({ value }) => known.has(value)).length / fewer.topValues.length;
}

/** Numbers that lie apart have no value in common. */
function mayMeet(own: ColumnProfile, other: ColumnProfile): boolean {
  const ends = [own.min, own.max, other.min, other.max];
  const [low, high, otherLow, otherHigh] = ends.map((end) => (typeof end === 'number' ? end : null));
  if (low == null || high == null || otherLow == null || otherHigh == null) return true;
  return low <= otherHigh && otherLow <= high;
}

/** In small letters, without the ending of a plural: `CustomerIDs` is customer, id. */
function wordsOf(name: string): readonly string[] {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .toLowerCase()
    .match(/\p{L}+|\p{N}+/gu);
  return (words ?? []).map((word) => (word.length > 3 ? word.replace(/(?:ies)$/, 'y').replace(/(?<!s)s$/, '') : word));
}
