import { understandAll } from '../../src/adapters/analyst/understand.js';
import { foldAnswer } from '../../src/answering/answer-fold.js';
import type { AnswerStep } from '../../src/answering/answer-step.js';
import type { Answering } from '../../src/answering/answering.js';
import { DEFAULT_STEPS, DEFAULT_TOOL_CALLS, type Question as Asking } from '../../src/answering/question.js';
import type { AssistantAnswer } from '../../src/ports/assistant-answer.js';
import type { QueryResult } from '../../src/ports/table.js';
import type { Gold } from './gold.js';
import { gradeFigures } from './grade-figures.js';
import { gradeRows } from './grade-rows.js';
import type { Question } from './question.js';
import type { ImportedTable } from './world.js';

/**
 * What became of a question. `exact`: right without anything else. `right`: right, among more than was asked or rounded otherwise. `wrong`:
 * something else was told as the answer. `refused`: it was not answered, or asked back. `failed`: an error came instead of an answer.
 */
export type Outcome = 'exact' | 'right' | 'wrong' | 'refused' | 'failed';

export interface Asked {
  readonly question: Question;
  readonly outcome: Outcome;
  readonly response: string;
  readonly answerKind: string;
  readonly queries: readonly AskedQuery[];
  readonly gold: Gold;
  /** Words that the reader itself says it did not read. */
  readonly unread: readonly string[];
  readonly readMs: number;
  readonly answerMs: number;
}

type AskedQuery = Extract<AnswerStep, { kind: 'query' }>;

interface Told {
  readonly answer: AssistantAnswer | null;
  readonly error: string;
  readonly queries: readonly AskedQuery[];
}

const NOW = new Date('2025-03-01T09:00:00Z');
const PATIENCE_MS = 60_000;
/** Of so many rows, such as the points of a chart, none is a figure that was worked out. */
const MANY_ROWS = 30;

/** Asks as the service does, but for HTTP, and grades the answer. */
export async function ask(
  answering: Answering,
  question: Question,
  { gold, table }: { readonly gold: Gold; readonly table: ImportedTable },
): Promise<Asked> {
  const { unread, readMs } = readAlone(question, table);
  const begun = performance.now();
  const told = await answerTo(answering, askingOf(question, table));
  const answerMs = performance.now() - begun;
  return {
    ...{ question, gold, unread, readMs, answerMs, queries: told.queries, outcome: outcomeOf(told, gold) },
    response: told.answer?.response ?? told.error,
    answerKind: told.answer?.kind ?? 'failed',
  };
}

function readAlone({ question }: Question, { briefing }: ImportedTable): { unread: readonly string[]; readMs: number } {
  const begun = performance.now();
  try {
    const parts = understandAll(question, briefing, [], NOW);
    return { unread: parts.flatMap((part) => part.understanding.unread), readMs: performance.now() - begun };
  } catch {
    // It fails in the answer too, and is counted there.
    return { unread: [], readMs: performance.now() - begun };
  }
}

function askingOf({ question }: Question, { ref, briefing }: ImportedTable): Asking {
  return {
    companyId: ref.companyId,
    table: ref,
    briefing: { question, history: [], table: briefing, passages: [], now: NOW },
    limits: { steps: DEFAULT_STEPS, toolCalls: DEFAULT_TOOL_CALLS, queryTimeoutMs: 30_000 },
  };
}

async function answerTo(answering: Answering, asking: Asking): Promise<Told> {
  const queries: AskedQuery[] = [];
  async function* watched(): AsyncGenerator<AnswerStep> {
    for await (const step of answering.answer(asking, AbortSignal.timeout(PATIENCE_MS))) {
      if (step.kind === 'query') queries.push(step);
      yield step;
    }
  }
  try {
    const { answer } = await foldAnswer(watched());
    return { answer, error: '', queries };
  } catch (error) {
    return { answer: null, error: error instanceof Error ? error.message : String(error), queries };
  }
}

function outcomeOf({ answer, queries }: Told, gold: Gold): Outcome {
  if (answer === null) return 'failed';
  if (gold.kind === 'refuse') return answer.kind === 'answer' ? 'wrong' : 'exact';
  if (answer.kind !== 'answer') return 'refused';
  const results = queries.map(({ result }) => result);
  return gold.kind === 'rows' ? outcomeOfRows(results, gold) : outcomeOfFigures(answer, results, gold);
}

function outcomeOfRows(results: readonly QueryResult[], { wanted }: Extract<Gold, { kind: 'rows' }>): Outcome {
  const found = results.map(({ columns, rows }) => ({ columns: columns.length, rows }));
  return ({ exact: 'exact', surplus: 'right', wrong: 'wrong' } as const)[gradeRows(found, wanted)];
}

function outcomeOfFigures(
  { response }: AssistantAnswer,
  results: readonly QueryResult[],
  { wanted }: Extract<Gold, { kind: 'figures' }>,
): Outcome {
  const cells = results.filter(({ rows }) => rows.length <= MANY_ROWS).flatMap(({ rows }) => rows.flat());
  return ({ told: 'exact', held: 'right', wrong: 'wrong' } as const)[gradeFigures(response, cells, wanted)];
}
