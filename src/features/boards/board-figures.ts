import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DateTime } from 'luxon';
import { dataOf } from '../../answering/answer-step.js';
import { drawableOf, MOST_DRAWN } from '../../answering/drawn-result.js';
import { assertColumns } from '../../answering/given-plan.js';
import { joinCautions, namedJoins, profileFor } from '../../plan/joined-profile.js';
import { planAt } from '../../plan/moving-times.js';
import type { AnalysisPlan, Filter } from '../../ports/analysis-plan.js';
import { ChartRenderer } from '../../ports/chart-renderer.js';
import { Clock } from '../../ports/clock.js';
import {
  type ColumnProfile,
  isNumeric,
  type QueryResult,
  type TableProfile,
  type TableRef,
} from '../../ports/table.js';
import { type ErrorKind, isAppError, onKind } from '../../shared/app-error.js';
import { digestOf } from '../../shared/checksum.js';
import type { CompanyId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';
import { type JoinableDatasource, JoinableTables, KeptQueries } from '../datasource/joinable-tables.facade.js';
import type {
  Board,
  BoardFilter,
  BoardRange,
  BoardView,
  Figure,
  FigureResult,
  FigureTile,
  KeptFigure,
  Stretch,
} from './board.schema.js';
import { KeptFiguresRepository } from './boards.repository.js';
import { DAY_MS, MINUTE_MS } from '../../shared/durations.js';

/** Without a reader for so long, a result is not kept any more. */
const KEPT_MS = 30 * DAY_MS;
const MOST_ROWS = 1000;

/** A figure as it can be shown, or the sentence that says why it can't. */
export type ShownFigure =
  | { readonly kind: 'result'; readonly result: FigureResult; readonly isCurrent: boolean }
  | { readonly kind: 'problem'; readonly problem: string };

/** How a figure is asked for. */
export interface FigureWish {
  /** The reader's own view; null: the board's. */
  readonly own: BoardView | null;
  /** What was read within the last minute will do. */
  readonly isPatient: boolean;
}

type Readable = JoinableDatasource & { readonly table: TableRef; readonly profile: TableProfile };

/** Figures of boards: as they were read last, and read anew. */
@Injectable()
export class BoardFigures implements OnModuleInit {
  constructor(
    private readonly queries: KeptQueries,
    private readonly charts: ChartRenderer,
    private readonly kept: KeptFiguresRepository,
    private readonly tables: JoinableTables,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.tables.alsoRemove((companyId, datasourceId) => this.kept.removeWhere(companyId, { datasourceId }));
  }

  /** What can be said of each tile at once: its last result, or that its datasource is gone; nothing where it was never read. */
  async last(board: Board): Promise<ReadonlyMap<string, ShownFigure>> {
    const tiles = board.tiles.filter((tile) => tile.kind === 'figure');
    const asked = new Map(tiles.map((tile) => [sourceKeyOf(tile), tile]));
    const [found, kept] = await Promise.all([
      Promise.all([...asked].map(async ([key, tile]) => [key, await this.sourceOf(board, tile)] as const)),
      this.kept.allWhere(board.companyId, { id: { in: tiles.map(({ id }) => id) } }),
    ]);
    const sources = new Map(found);
    return new Map(
      tiles.flatMap((tile) => {
        const shown = this.lastOf(tile, board, {
          source: sources.get(sourceKeyOf(tile)) ?? null,
          last: kept.find(({ id }) => id === tile.id) ?? null,
        });
        return shown === null ? [] : [[tile.id, shown]];
      }),
    );
  }

  /** With a view of the reader's own nothing is kept. @throws AppError `unavailable`, `rate_limited` */
  async now(board: Board, tile: FigureTile, { own, isPatient }: FigureWish): Promise<ShownFigure> {
    const { companyId } = board;
    const source = await this.sourceOf(board, tile);
    const last = own === null ? await this.kept.find(companyId, tile.id) : null;
    const shown = this.lastOf(tile, board, { source, last });
    if (shown !== null && this.suffices(shown, isPatient)) return shown;
    if (!isReadable(source)) return problem('This datasource has no rows yet.');
    try {
      const result = await this.read(tile, own ?? board, source);
      if (own === null) await this.keep(board, tile, { result, version: source.version });
      return { kind: 'result', result, isCurrent: true };
    } catch (error) {
      if (isAppError(error) && TOLD.includes(error.kind)) return problem(error.message);
      throw error;
    }
  }

  async forget(companyId: CompanyId, tiles: Board['tiles']): Promise<void> {
    await this.kept.removeWhere(companyId, { id: { in: tiles.map(({ id }) => id) } });
  }

  /** What the tile reads, or why it can't be joined any more. */
  private sourceOf({ companyId }: Board, tile: FigureTile): Promise<Source> {
    return this.tables.findKept(companyId, tile).catch(onKind('invalid_input', ({ message }) => problem(message)));
  }

  private suffices(shown: ShownFigure, isPatient: boolean): boolean {
    if (shown.kind === 'problem' || shown.isCurrent) return true;
    return isPatient && this.clock.now().getTime() - shown.result.at.getTime() < MINUTE_MS;
  }

  private lastOf(
    tile: FigureTile,
    view: BoardView,
    { source, last }: { readonly source: Source; readonly last: KeptFigure | null },
  ): ShownFigure | null {
    if (source === null) return problem('The datasource of this tile was deleted.');
    if ('problem' in source) return source;
    if (last?.key !== keyOf(tile, view)) return null;
    const now = this.clock.now();
    const isCurrent = isStillTrue(tile, view, { source, last, now });
    // Rows that are the same as then are as they are now.
    return { kind: 'result', result: isCurrent ? { ...last.result, at: now } : last.result, isCurrent };
  }

  private async keep(
    { companyId, ...view }: Board,
    tile: FigureTile,
    read: Pick<KeptFigure, 'result' | 'version'>,
  ): Promise<void> {
    const { id, datasourceId } = tile;
    const expiresAt = new Date(read.result.at.getTime() + KEPT_MS);
    await this.kept.keep({ id, companyId, datasourceId, key: keyOf(tile, view), ...read, expiresAt });
    // Its removal may have passed this result by.
    if ((await this.tables.findKept(companyId, { datasourceId })) === null)
      await this.kept.removeWhere(companyId, { datasourceId });
  }

  /** The rows of a figure, read as an answer's are. @throws AppError `invalid_input` when the figure does not fit its table any more, and as the row reader does. */
  private async read(figure: Figure, view: BoardView, datasource: Readable): Promise<FigureResult> {
    const { table } = datasource;
    const at = this.clock.now();
    const time = figure.plan === null ? null : await this.timeOf(view.range, datasource, at);
    const viewed = figure.plan === null ? null : viewedPlan(figure.plan, view, datasource, time);
    if (viewed !== null) assertColumns(viewed.plan, datasource);
    const plan = viewed?.plan ?? null;
    const run = (wanted: AnalysisPlan | null, maxRows: number): Promise<QueryResult> =>
      this.queries.run(table, { plan: wanted, sql: figure.sql }, maxRows);
    const result = await run(plan, MOST_ROWS);
    return {
      at,
      data: dataOf(result),
      rows: result.rows.length,
      dbquery: result.dbquery,
      chart: await this.chartOf(figure, { plan, result }, (wanted) => run(wanted, MOST_DRAWN)),
      unfiltered: viewed?.unfiltered ?? partsOf(view),
      ...(time === null ? {} : { stretch: time.stretch }),
      warnings: joinCautions(namedJoins(result.joins, datasource)),
    };
  }

  /** Null: there is no range, or no column that it could be about. */
  private async timeOf(range: BoardRange | null, readable: Readable, now: Date): Promise<TimeCondition | null> {
    const column = range === null ? null : timeColumnOf(readable);
    if (range === null || column === null) return null;
    const newest = 'last' in range ? await this.queries.newest(readable.table, column) : null;
    return { column, stretch: stretchOf(range, newest, now) };
  }

  /** What can't be drawn is shown as rows. */
  private async chartOf(
    { chart }: Figure,
    query: { readonly plan: AnalysisPlan | null; readonly result: QueryResult },
    read: (plan: AnalysisPlan | null) => Promise<QueryResult>,
  ): Promise<JsonObject | null> {
    if (chart === null || query.result.rows.length === 0) return null;
    return drawableOf(query, chart, read)
      .then(({ request, result }) => this.charts.specify(request, result))
      .catch(onKind('invalid_input', () => null));
  }
}

type Problem = Extract<ShownFigure, { kind: 'problem' }>;
/** Null: it was deleted. */
type Source = JoinableDatasource | Problem | null;

function isReadable(source: Source): source is Readable {
  return source !== null && !('problem' in source) && source.table !== null && source.profile !== null;
}

/** Failures that say something of the figure, and not of the service. */
const TOLD: readonly ErrorKind[] = ['invalid_input', 'timed_out', 'conflict'];

function problem(text: string): Problem {
  return { kind: 'problem', problem: text };
}

function sourceKeyOf({ datasourceId, others = [] }: Figure): string {
  return JSON.stringify([datasourceId, others]);
}

function keyOf({ plan, sql, chart }: Figure, { range, filters }: BoardView): string {
  return digestOf({ plan, sql, chart, range, filters });
}

/** Whether reading the rows again would give the same: they did not change, none outlives its time, and the clock plays no part. */
function isStillTrue(
  { plan }: FigureTile,
  { range }: BoardView,
  { source, last, now }: { source: JoinableDatasource; last: KeptFigure; now: Date },
): boolean {
  const tables = [source.table, ...(source.table?.joinable?.tables ?? []).map(({ table }) => table)];
  if (plan === null || last.version !== source.version || tables.some((one) => one?.visibleFrom !== null)) return false;
  const isOfOtherDates = !isDeepStrictEqual(planAt(plan, now), planAt(plan, last.result.at));
  const moves = isOfOtherDates || (range !== null && 'last' in range);
  return !moves || now.getTime() - last.result.at.getTime() < MINUTE_MS;
}

const TIME_RANGE = 'time range';

/** The board's time range on a column of a table. */
interface TimeCondition {
  readonly column: string;
  readonly stretch: Stretch;
}

/**
 * The plan with the board's conditions beside its own, and what of the board's view does not fit its table. The board's time range takes the place of conditions on the same column: a figure
 * of May on a board of June would be empty.
 *
 * @throws AppError `invalid_input` when what it joins can't be joined any more.
 */
function viewedPlan(
  plan: AnalysisPlan,
  { range, filters }: BoardView,
  table: Readable,
  time: TimeCondition | null,
): { readonly plan: AnalysisPlan } & Pick<FigureResult, 'unfiltered'> {
  const { columns } = profileFor(plan, table);
  const conditions = filters.map((filter) => [filter.column, conditionOf(filter, columns)] as const);
  const own = time === null ? plan.filters : plan.filters.filter((one) => !isTimeOn(one, time.column));
  return {
    plan: {
      ...plan,
      filters: [
        ...own,
        ...(time === null ? [] : [{ kind: 'time', column: time.column, ...time.stretch } as const]),
        ...conditions.flatMap(([, condition]) => condition ?? []),
      ],
    },
    unfiltered: [
      ...(range !== null && time === null ? [TIME_RANGE] : []),
      ...conditions.flatMap(([column, condition]) => (condition === null ? [column] : [])),
    ],
  };
}

/** What of a view would have to be applied. */
function partsOf({ range, filters }: BoardView): readonly string[] {
  return [...(range === null ? [] : [TIME_RANGE]), ...filters.map(({ column }) => column)];
}

/** Of a time series the one that it goes by; of any other table the first that came with the rows. */
function timeColumnOf({ profile: { columns, timeField }, isTimeseries }: Readable): string | null {
  if (isTimeseries) return timeField;
  return columns.find(({ name, type }) => type === 'time' && name !== timeField)?.name ?? null;
}

function isTimeOn(filter: Filter, column: string): boolean {
  return filter.kind === 'time' && filter.column.toLowerCase() === column.toLowerCase();
}

/** Null when there is no such column, or its values are of another kind. */
function conditionOf({ column, values }: BoardFilter, columns: readonly ColumnProfile[]): Filter | null {
  const found = columns.find(({ name }) => name.toLowerCase() === column.toLowerCase());
  if (found === undefined || !values.every((value) => fits(value, found))) return null;
  return { kind: 'in', column: found.name, values, negated: false };
}

function fits(value: string | number | boolean, { type }: ColumnProfile): boolean {
  if (typeof value === 'number') return isNumeric(type);
  return type === (typeof value === 'boolean' ? 'boolean' : 'text');
}

/** A fixed one as it is. Else it ends with the newest row, or with this moment: with its minute, and of days and longer units with its day. */
function stretchOf(range: BoardRange, newest: Date | null, now: Date): Stretch {
  if (!('last' in range)) return range;
  const last = Math.min(now.getTime(), newest?.getTime() ?? Infinity);
  const step = range.unit === 'minute' || range.unit === 'hour' ? MINUTE_MS : DAY_MS;
  const end = new Date((Math.floor(last / step) + 1) * step);
  // Of the 31st of a month the one before may have none: then its last day is meant.
  const from = DateTime.fromJSDate(end, { zone: 'utc' }).minus({ [range.unit]: range.last });
  return { from: from.toJSDate().toISOString(), to: end.toISOString() };
}
