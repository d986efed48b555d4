import { Injectable } from '@nestjs/common';
import type { Briefing } from '../ports/chat-model.js';
import { ChatModels } from '../ports/chat-models.js';
import { RowReader } from '../ports/row-reader.js';
import type { QueryResult, TableRef } from '../ports/table.js';
import { isAppError } from '../shared/app-error.js';
import { Answering } from './answering.js';
import { ChartImages } from './chart-images.js';
import { DEFAULT_STEPS, DEFAULT_TOOL_CALLS, type FailedQuery } from './question.js';

/** A question of a person who knows nothing but the table. */
type TriedBriefing = Pick<Briefing, 'question' | 'now'> & { readonly table: NonNullable<Briefing['table']> };

/** Tries questions on a table as it is: the built-in analyst answers them, but nothing is drawn, kept or counted. */
@Injectable()
export class QuestionTrial {
  private readonly answering: Answering;

  constructor(models: ChatModels, rows: RowReader, images: ChartImages) {
    this.answering = new Answering(models.builtIn, rows, images);
  }

  /** Whether the question has an answer, and one that is not empty. @throws AppError `unavailable` */
  async hasAnswer(table: TableRef, briefing: TriedBriefing, queryTimeoutMs: number): Promise<boolean> {
    const question = {
      companyId: table.companyId,
      table,
      briefing: { ...briefing, history: [], passages: [] },
      limits: { steps: DEFAULT_STEPS, toolCalls: DEFAULT_TOOL_CALLS, queryTimeoutMs },
      isTrial: true,
      onFailedQuery: throwIfAway,
    };
    let isTelling = false;
    let kind: string | null = null;
    for await (const step of this.answering.answer(question, new AbortController().signal)) {
      if (step.kind === 'query') isTelling ||= saysSomething(step.result);
      if (step.kind === 'done') ({ kind } = step.answer);
    }
    return isTelling && kind === 'answer';
  }
}

/** A question that the engine can't answer, or not in time, is none to offer; of an engine that is away nobody knows. */
function throwIfAway({ error }: FailedQuery): void {
  if (isAppError(error, 'unavailable')) throw error;
}

/** At least one figure or name; a count of nothing is none. */
function saysSomething({ rows }: QueryResult): boolean {
  return rows.some((row) => row.some((cell) => cell !== null && cell !== 0 && cell !== ''));
}
