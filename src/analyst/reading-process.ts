import type { OnApplicationShutdown } from '@nestjs/common';
import { childEntry } from '../adapters/processes/child-entry.js';
import { ServingProcess } from '../adapters/processes/serving-process.js';
import type { HistoryTurn, TableBriefing } from '../ports/chat-model.js';
import { QuestionSuggester } from '../ports/question-suggester.js';
import type { TableProfile } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import { FairTurns } from '../shared/fair-turns.js';
import type { CompanyId } from '../shared/ids.js';
import { understandAll } from './understand.js';
import type { Part } from './understanding.js';
import { HOUR_MS } from '../shared/durations.js';

/** A message, the table that it is read against, and what was asked before. */
export interface MessageToRead {
  readonly companyId?: CompanyId | undefined;
  readonly message: string;
  readonly table: TableBriefing;
  readonly history: readonly HistoryTurn[];
  readonly now: Date;
}

/** Reads a message. The signal's reason is thrown when it aborts before the message's turn. */
export type ReadMessage = (message: MessageToRead, signal: AbortSignal) => Promise<readonly Part[]>;

/** Reads in this thread, which hears nothing meanwhile. */
export const readHere: ReadMessage = ({ message, table, history, now }) =>
  Promise.resolve(understandAll(message, table, history, now));

/** It takes most of a second to start, so it stays for an hour without a message. */
const LIMITS = { heapMb: 512, timeoutMs: 20_000, idleMs: HOUR_MS };

export type ReadingOrder =
  | { readonly kind: 'read'; readonly message: MessageToRead }
  | { readonly kind: 'suggest'; readonly profile: TableProfile; readonly wanted: number };

/**
 * Reads messages, and thinks of questions that it would read surely, in a process of its own: a message that is made for it takes a second, in
 * which the service would answer nobody. Companies take turns.
 */
export class ReadingProcess extends QuestionSuggester implements OnApplicationShutdown {
  private readonly turns = new FairTurns({ atOnce: 1 });
  private readonly process = new ServingProcess<ReadingOrder, unknown>({
    entry: childEntry(import.meta.url, './reading/reading.process'),
    ...LIMITS,
    failed: (reason) => new AppError('unavailable', 'the question could not be read', { cause: new Error(reason) }),
  });

  readonly read: ReadMessage = async (message, signal) => {
    using _turn = await this.turns.take(message.companyId ?? '');
    signal.throwIfAborted();
    return (await this.process.serve({ kind: 'read', message })) as readonly Part[];
  };

  override async suggest(companyId: CompanyId, profile: TableProfile, wanted: number): Promise<readonly string[]> {
    using _turn = await this.turns.take(companyId);
    return (await this.process.serve({ kind: 'suggest', profile, wanted })) as readonly string[];
  }

  onApplicationShutdown(): void {
    this.turns.close();
    this.process.stop();
  }
}
