import type { Readable } from 'node:stream';
import type { AnalysisPlan } from '../ports/analysis-plan.js';
import { ChartRenderer, type ChartRequest } from '../ports/chart-renderer.js';
import { ChatModel, type ModelDelta, type ModelRequest } from '../ports/chat-model.js';
import type { IdSource } from '../ports/id-source.js';
import type { ObjectStore, ObjectKey } from '../ports/object-store.js';
import { RowReader } from '../ports/row-reader.js';
import type { QueryLimits, QueryResult, TableProfile, TableRef } from '../ports/table.js';
import { asId, type CompanyId, type DatasourceId, type Id } from '../shared/ids.js';
import { type AnswerStep, EMPTY_ANSWER, withStep, type FoldedAnswer } from './answer-step.js';
import type { AssistantAnswer } from '../ports/assistant-answer.js';
import { Answering } from './answering.js';
import type { JsonObject } from '../shared/json.js';
import { ChartImages } from './chart-images.js';
import type { Question } from './question.js';

export type Script = (request: ModelRequest, round: number) => Iterable<ModelDelta> | AsyncIterable<ModelDelta>;

/** A model that does what the test says, and remembers what it was told. */
export class ScriptedModel extends ChatModel {
  readonly name = 'scripted';
  readonly writesFreely = true;
  readonly requests: ModelRequest[] = [];

  constructor(private readonly script: Script) {
    super();
  }

  override async *stream(request: ModelRequest): AsyncGenerator<ModelDelta> {
    this.requests.push(request);
    yield* this.script(request, this.requests.length);
  }
}

export const RESULT: QueryResult = {
  columns: [
    { name: 'region', type: 'text' },
    { name: 'revenue', type: 'number' },
  ],
  rows: Array.from({ length: 150 }, (_, index) => [`r${index}`, index]),
  truncated: false,
  dbquery: 'SELECT region, sum(revenue) FROM data GROUP BY 1',
  rowsScanned: 5000,
};

const notAskedFor = (): Promise<never> => Promise.reject(new Error('not asked for'));

/** Rows that answer every statement alike, but for those the test wants to fail. */
export class TestRows extends RowReader {
  readonly ran: string[] = [];
  readonly limits: QueryLimits[] = [];

  constructor(private readonly failure: (statement: string) => Error | null = () => null) {
    super();
  }

  override query(_table: TableRef, statement: string, limits: QueryLimits): Promise<QueryResult> {
    this.ran.push(statement);
    this.limits.push(limits);
    const failure = this.failure(statement);
    return failure === null ? Promise.resolve(RESULT) : Promise.reject(failure);
  }

  override analyze(_table: TableRef, plan: AnalysisPlan): Promise<QueryResult> {
    this.ran.push(plan.kind);
    return Promise.resolve(RESULT);
  }

  override plot = notAskedFor;
  override profile = notAskedFor;
  override measureJoin = notAskedFor;
  override distinctMetadata = notAskedFor;
}

export class TestCharts extends ChartRenderer {
  constructor(private readonly failure: Error | null = null) {
    super();
  }

  override specify(request: ChartRequest, result: QueryResult): JsonObject {
    if (this.failure !== null) throw this.failure;
    return { mark: request.kind, rows: result.rows.length };
  }

  override draw = notAskedFor;
}

/** Keeps the names of pictures, and can do nothing else. */
export class TestImages {
  readonly kept = new Map<string, ObjectKey>();

  async write(key: ObjectKey, source: Readable): Promise<number> {
    const bytes = (await source.toArray()).reduce<number>((sum, part: Buffer) => sum + part.length, 0);
    this.kept.set(key.name, key);
    return bytes;
  }

  get store(): ObjectStore {
    return this as unknown as ObjectStore;
  }
}

export const IMAGE_TOKEN = '0123456789abcdef0123456789abcdef';

export const TEST_IDS: IdSource = {
  next: <T extends Id<string>>() => asId<T>('0123456789abcdef01234567'),
  token: () => IMAGE_TOKEN,
};

export const COMPANY = asId<CompanyId>('a'.repeat(24));
const TABLE: TableRef = {
  companyId: COMPANY,
  datasourceId: asId<DatasourceId>('b'.repeat(24)),
  generation: 1,
  visibleFrom: null,
};
export const PROFILE: TableProfile = {
  rowCount: 5000,
  timeRange: { from: '2024-01-01T00:00:00.000Z', to: '2024-12-31T00:00:00.000Z' },
  columns: [],
  timeField: 'time',
  metaField: 'region',
  values: ['revenue'],
};

export function aQuestion(
  parts: Partial<Question['briefing']> = {},
  limits: Partial<Question['limits']> = {},
): Question {
  const table = { name: 'Sales', context: '', profile: PROFILE };
  const briefing = { question: 'revenue by region', history: [], table, passages: [], now: new Date(0), ...parts };
  return {
    companyId: COMPANY,
    table: briefing.table === null ? null : TABLE,
    briefing,
    limits: { steps: 8, toolCalls: 12, queryTimeoutMs: 1000, ...limits },
  };
}

export function says(...pieces: readonly string[]): ModelDelta[] {
  return pieces.map((text) => ({ kind: 'text', text }));
}

export function calls(name: string, args: object | string, key = name): ModelDelta {
  const json = typeof args === 'string' ? args : JSON.stringify(args);
  return { kind: 'call', key, id: key, name, arguments: json };
}

export function ends(reason: 'stop' | 'tool_calls' | 'length' | 'other' = 'stop'): ModelDelta {
  return { kind: 'end', reason, verdict: null, tokens: null };
}

export const QUERY = calls('run_query', { sql: 'SELECT 1', purpose: 'revenue by region' });
export const CHART = calls('make_chart', { kind: 'bar', x: 'region', y: 'revenue', title: 'Revenue' });

export interface Bench {
  readonly model: ScriptedModel;
  readonly rows: TestRows;
  readonly images: TestImages;
  readonly answering: Answering;
}

export function bench(script: Script, rows = new TestRows(), charts = new TestCharts()): Bench {
  const model = new ScriptedModel(script);
  const images = new TestImages();
  return { model, rows, images, answering: answeringWith(model, rows, charts, images) };
}

export function answeringWith(
  model: ChatModel,
  rows: RowReader = new TestRows(),
  charts: ChartRenderer = new TestCharts(),
  images = new TestImages(),
): Answering {
  return new Answering(model, rows, new ChartImages(images.store, TEST_IDS, charts));
}

export const PATIENT = new AbortController().signal;

export async function stepsOf({ answering }: Bench, question = aQuestion()): Promise<readonly AnswerStep[]> {
  const steps: AnswerStep[] = [];
  for await (const step of answering.answer(question, PATIENT)) steps.push(step);
  return steps;
}

export async function answerOf(to: Bench, question = aQuestion()): Promise<AssistantAnswer> {
  return (await foldAnswer(to.answering.answer(question, PATIENT))).answer;
}

/** What the model was told of the calls of its round. */
export function outcomesOf({ model }: Bench, round: number): readonly string[] {
  return model.requests[round]?.exchanges.at(-1)?.outcomes.map(({ content }) => content) ?? [];
}

/** Waits for the whole answer. Throws what the steps throw. */
export async function foldAnswer(steps: AsyncIterable<AnswerStep>): Promise<FoldedAnswer> {
  let folded: FoldedAnswer = { answer: EMPTY_ANSWER, plan: null };
  for await (const step of steps) {
    folded = { answer: withStep(folded.answer, step), plan: step.kind === 'done' ? step.plan : folded.plan };
  }
  return folded;
}
