import { Injectable } from '@nestjs/common';
import type { AnalysisPlan } from '../ports/analysis-plan.js';
import type { Briefing, Exchange, ModelRequest, ToolCall, ToolOutcome } from '../ports/chat-model.js';
import { ChatModels } from '../ports/chat-models.js';
import { RowReader } from '../ports/row-reader.js';
import type { QueryLimits, QueryResult, TableRef } from '../ports/table.js';
import { isAppError } from '../shared/app-error.js';
import { AnswerText } from './answer-text.js';
import { listen, type Round } from './round.js';
import { DATA_TOOLS, readToolUse } from './tools.js';

/** A question of a person who knows nothing but the table. */
export type TriedBriefing = Pick<Briefing, 'question' | 'now'> & { readonly table: NonNullable<Briefing['table']> };

const MAX_ROWS = 1000;
const MAX_ROUNDS = 4;

/** Tries questions on a table as it is: the built-in analyst answers them, but nothing is drawn or kept. */
@Injectable()
export class QuestionTrial {
  constructor(
    private readonly models: ChatModels,
    private readonly rows: RowReader,
  ) {}

  /** Whether the question has an answer, and one that is not empty. @throws AppError `unavailable` */
  async hasAnswer(table: TableRef, briefing: TriedBriefing, timeoutMs: number): Promise<boolean> {
    const exchanges: Exchange[] = [];
    const limits = { maxRows: MAX_ROWS, timeoutMs };
    let isTelling = false;
    for (let number = 1; number <= MAX_ROUNDS; number += 1) {
      const round = await this.round({
        briefing: { ...briefing, history: [], passages: [] },
        exchanges,
        tools: DATA_TOOLS,
      });
      if (round.calls.length === 0) return isTelling && round.verdict === 'answer';
      const outcomes = await Promise.all(round.calls.map((call) => this.outcomeOf(table, call, limits)));
      isTelling ||= outcomes.some(({ result }) => result !== null && saysSomething(result));
      exchanges.push({ text: round.text, calls: round.calls, outcomes });
    }
    return false;
  }

  private async round(request: ModelRequest): Promise<Round> {
    const steps = listen(this.models.builtIn.stream(request, new AbortController().signal), new AnswerText(), 0);
    for (;;) {
      const { done, value } = await steps.next();
      if (done === true) return value;
    }
  }

  private async outcomeOf(table: TableRef, call: ToolCall, limits: QueryLimits): Promise<ToolOutcome> {
    const use = readToolUse(call.name, call.arguments);
    const plan = use.tool === 'analyze' ? use.plan : null;
    // A chart counts as drawn.
    if (plan === null) return { callId: call.id, ok: true, content: '{}', result: null };
    const result = await this.resultOf(table, plan, limits);
    return { callId: call.id, ok: result !== null, content: '{}', result };
  }

  private async resultOf(table: TableRef, plan: AnalysisPlan, limits: QueryLimits): Promise<QueryResult | null> {
    try {
      return await this.rows.analyze(table, plan, limits);
    } catch (error) {
      // A question that the engine can't answer, or not in time, is none to offer.
      if (isAppError(error, 'invalid_input') || isAppError(error, 'timed_out')) return null;
      throw error;
    }
  }
}

/** At least one figure or name; a count of nothing is none. */
function saysSomething({ rows }: QueryResult): boolean {
  return rows.some((row) => row.some((cell) => cell !== null && cell !== 0 && cell !== ''));
}
