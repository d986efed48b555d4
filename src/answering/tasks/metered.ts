import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import { ChatModel, type ModelDelta, type ModelRequest } from '../../ports/chat-model.js';
import {
  type JoinMeasure,
  type MetadataQuery,
  type MetadataValues,
  RowReader,
  type TablePair,
  type PlotQuery,
  type PlotSeries,
} from '../../ports/row-reader.js';
import type { QueryLimits, QueryResult, TableProfile, TableRef } from '../../ports/table.js';
import { AppError, isAppError, messageOf } from '../../shared/app-error.js';

/** A query that came to nothing. */
export interface FailedQuery {
  /** As a model wrote it; empty for a plan. */
  readonly statement: string;
  readonly problem: string;
}

/** A query may bring the engine down, and those beside it; an engine that is away more often in a row is away. */
const MAX_AWAY = 3;

/** Counts what a model uses, and stops it where nothing is left. */
export class MeteredModel extends ChatModel {
  private usedSteps = 0;
  private usedCalls = 0;
  private usedTokens = 0;

  constructor(
    private readonly model: ChatModel,
    private readonly most: { readonly steps: number; readonly toolCalls: number; readonly tokens: number },
  ) {
    super();
  }

  get name(): string {
    return this.model.name;
  }

  get writesFreely(): boolean {
    return this.model.writesFreely;
  }

  get stepsLeft(): number {
    return Math.max(0, this.most.steps - this.usedSteps);
  }

  get callsLeft(): number {
    return Math.max(0, this.most.toolCalls - this.usedCalls);
  }

  get tokensLeft(): number {
    return Math.max(0, this.most.tokens - this.usedTokens);
  }

  /** @throws AppError `unavailable` beyond the last step, which nobody should ask for. */
  override async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    if (this.stepsLeft === 0) throw new AppError('unavailable', 'no model steps are left in this run');
    this.usedSteps += 1;
    const calls = new Set<string>();
    for await (const delta of this.model.stream(request, signal)) {
      if (delta.kind === 'call' && !calls.has(delta.key)) {
        calls.add(delta.key);
        this.usedCalls += 1;
      }
      if (delta.kind === 'end' && this.writesFreely) this.usedTokens += delta.tokens ?? estimate(request);
      yield delta;
    }
  }
}

/** Where the endpoint does not count. */
function estimate({ briefing, exchanges, tools }: ModelRequest): number {
  const told = exchanges.map(({ text, calls, outcomes }) => [text, calls, outcomes.map(({ content }) => content)]);
  return Math.ceil(JSON.stringify([briefing.question, briefing.table, briefing.others, told, tools]).length / 4);
}

/** Remembers the queries that failed, which a model mends in silence and a person wants to see. */
export class MeteredRows extends RowReader {
  private readonly failed: FailedQuery[] = [];
  private awayInARow = 0;

  constructor(private readonly rows: RowReader) {
    super();
  }

  /** Those that failed since the last time. */
  takeFailed(): readonly FailedQuery[] {
    return this.failed.splice(0);
  }

  /** @throws AppError `unavailable` when the row store stays away. */
  assertThere(): void {
    if (this.awayInARow >= MAX_AWAY) throw new AppError('unavailable', 'the row store is away');
  }

  override plot(table: TableRef, query: PlotQuery): Promise<PlotSeries> {
    return this.rows.plot(table, query);
  }

  override profile(table: TableRef): Promise<TableProfile> {
    return this.rows.profile(table);
  }

  override distinctMetadata(table: TableRef, query: MetadataQuery): Promise<MetadataValues> {
    return this.rows.distinctMetadata(table, query);
  }

  override analyze(table: TableRef, plan: AnalysisPlan, limits: QueryLimits): Promise<QueryResult> {
    return this.remembering('', this.rows.analyze(table, plan, limits));
  }

  override query(table: TableRef, statement: string, limits: QueryLimits): Promise<QueryResult> {
    return this.remembering(statement, this.rows.query(table, statement, limits));
  }

  override measureJoin(pair: TablePair, limits: QueryLimits): Promise<JoinMeasure> {
    return this.rows.measureJoin(pair, limits);
  }

  private async remembering(statement: string, query: Promise<QueryResult>): Promise<QueryResult> {
    try {
      const result = await query;
      this.awayInARow = 0;
      return result;
    } catch (error) {
      if (isAppError(error, 'unavailable')) this.awayInARow += 1;
      this.failed.push({ statement, problem: messageOf(error) });
      throw error;
    }
  }
}
