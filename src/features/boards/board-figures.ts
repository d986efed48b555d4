import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { dataOf } from '../../answering/answer-step.js';
import { drawableOf, MOST_DRAWN } from '../../answering/drawn-result.js';
import { assertColumns } from '../../answering/given-plan.js';
import { AppConfig } from '../../config/app-config.js';
import { joinCautions, namedJoins } from '../../plan/joined-profile.js';
import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import { ChartRenderer } from '../../ports/chart-renderer.js';
import { Clock } from '../../ports/clock.js';
import { RowReader } from '../../ports/row-reader.js';
import type { QueryResult, TableProfile, TableRef } from '../../ports/table.js';
import { type ErrorKind, isAppError } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';
import { DatasourceFacade } from '../datasource/datasource.facade.js';
import { type JoinableDatasource, JoinableTables } from '../datasource/joinable-tables.facade.js';
import type { Board, BoardRange, BoardView, Figure, FigureResult, FigureTile, KeptFigure } from './board.schema.js';
import { KeptFiguresRepository } from './boards.repository.js';
import { partsOf, stretchOf, timeColumnOf, type TimeCondition, viewedPlan } from './viewed-plan.js';

/** Without a reader for so long, a result is not kept any more. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const MOST_ROWS = 1000;
const MINUTE = 60_000;

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

/** Reads the rows of a figure, as an answer's are read. */
@Injectable()
export class FigureReader {
  constructor(
    private readonly rows: RowReader,
    private readonly charts: ChartRenderer,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** @throws AppError `invalid_input` when the figure does not fit its table any more, and as the row reader does. */
  async read(figure: Figure, view: BoardView, datasource: Readable): Promise<FigureResult> {
    const { table } = datasource;
    const at = this.clock.now();
    const time = figure.plan === null ? null : await this.timeOf(view.range, datasource, at);
    const viewed = figure.plan === null ? null : viewedPlan(figure.plan, view, datasource, time);
    if (viewed !== null) assertColumns(viewed.plan, datasource);
    const plan = viewed?.plan ?? null;
    const run = (wanted: AnalysisPlan | null, maxRows: number): Promise<QueryResult> => {
      const limits = { maxRows, timeoutMs: this.config.limits.queryTimeoutMs };
      if (wanted !== null) return this.rows.analyze(table, wanted, limits);
      return this.rows.query(table, figure.sql ?? '', limits);
    };
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
    const newest = 'last' in range ? await this.newestIn(readable.table, column) : null;
    return { column, stretch: stretchOf(range, newest, now) };
  }

  /** Null: no row has a time. */
  private async newestIn(table: TableRef, column: string): Promise<Date | null> {
    const measures = [{ aggregate: 'max', column, label: 'newest' }] as const;
    const plan = {
      kind: 'aggregate',
      measures,
      dimensions: [],
      filters: [],
      having: [],
      order: [],
      limit: null,
    } as const;
    const limits = { maxRows: 1, timeoutMs: this.config.limits.queryTimeoutMs };
    const newest = (await this.rows.analyze(table, plan, limits)).rows[0]?.[0];
    return typeof newest === 'string' ? new Date(newest) : null;
  }

  /** What can't be drawn is shown as rows. */
  private async chartOf(
    { chart }: Figure,
    query: { readonly plan: AnalysisPlan | null; readonly result: QueryResult },
    read: (plan: AnalysisPlan | null) => Promise<QueryResult>,
  ): Promise<JsonObject | null> {
    if (chart === null || query.result.rows.length === 0) return null;
    try {
      const drawn = await drawableOf(query, chart, read);
      return this.charts.specify(drawn.request, drawn.result);
    } catch (error) {
      if (isAppError(error, 'invalid_input')) return null;
      throw error;
    }
  }
}

/** Figures of boards: as they were read last, and read anew. */
@Injectable()
export class BoardFigures implements OnModuleInit {
  constructor(
    private readonly reader: FigureReader,
    private readonly kept: KeptFiguresRepository,
    private readonly datasources: DatasourceFacade,
    private readonly tables: JoinableTables,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.datasources.alsoRemove((companyId, id) => this.kept.removeOfDatasource(companyId, id));
  }

  /** What can be said of each tile at once: its last result, or that its datasource is gone; nothing where it was never read. */
  async last(board: Board): Promise<ReadonlyMap<string, ShownFigure>> {
    const tiles = board.tiles.filter((tile) => tile.kind === 'figure');
    const asked = new Map(tiles.map((tile) => [sourceKeyOf(tile), tile]));
    const [found, kept] = await Promise.all([
      Promise.all([...asked].map(async ([key, tile]) => [key, await this.sourceOf(board, tile)] as const)),
      this.kept.of(
        board.companyId,
        tiles.map(({ id }) => id),
      ),
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
      const result = await this.reader.read(tile, own ?? board, source);
      if (own === null) await this.keep(board, tile, { result, version: source.version });
      return { kind: 'result', result, isCurrent: true };
    } catch (error) {
      if (isAppError(error) && TOLD.includes(error.kind)) return problem(error.message);
      throw error;
    }
  }

  async forget(companyId: CompanyId, tiles: readonly Tile[]): Promise<void> {
    await this.kept.removeOf(
      companyId,
      tiles.map(({ id }) => id),
    );
  }

  /** What the tile reads, or why it can't be joined any more. */
  private async sourceOf({ companyId }: Board, tile: FigureTile): Promise<Source> {
    try {
      return await this.tables.findKept(companyId, tile);
    } catch (error) {
      if (isAppError(error, 'invalid_input')) return problem(error.message);
      throw error;
    }
  }

  private suffices(shown: ShownFigure, isPatient: boolean): boolean {
    if (shown.kind === 'problem' || shown.isCurrent) return true;
    return isPatient && this.clock.now().getTime() - shown.result.at.getTime() < MINUTE;
  }

  private lastOf(tile: FigureTile, view: BoardView, known: Known): ShownFigure | null {
    const { source, last } = known;
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
    if ((await this.datasources.find(companyId, datasourceId)) === null)
      await this.kept.removeOfDatasource(companyId, datasourceId);
  }
}

type Tile = Board['tiles'][number];

type Problem = Extract<ShownFigure, { kind: 'problem' }>;
/** Null: it was deleted. */
type Source = JoinableDatasource | Problem | null;

interface Known {
  readonly source: Source;
  readonly last: KeptFigure | null;
}

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
  return createHash('sha256')
    .update(JSON.stringify([plan, sql, chart, range, filters]))
    .digest('hex');
}

interface LastRead {
  readonly source: JoinableDatasource;
  readonly last: KeptFigure;
  readonly now: Date;
}

/** Whether reading the rows again would give the same: they did not change, none outlives its time, and the clock plays no part. */
function isStillTrue({ plan }: FigureTile, { range }: BoardView, { source, last, now }: LastRead): boolean {
  const tables = [source.table, ...(source.table?.joinable?.tables ?? []).map(({ table }) => table)];
  if (plan === null || last.version !== source.version || tables.some((one) => one?.visibleFrom !== null)) return false;
  const moves = range !== null && 'last' in range;
  return !moves || now.getTime() - last.result.at.getTime() < MINUTE;
}
