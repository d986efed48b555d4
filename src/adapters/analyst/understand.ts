import type { HistoryTurn, TableBriefing } from '../../ports/chat-model.js';
import { MAX_MESSAGE, MessageReader } from './message/message-reader.js';
import type { Part, Understanding } from './message/understanding.js';
import { understandTable } from './table-question.js';

export type { AnswerFormat, Focus, Part, Understanding, Verdict } from './message/understanding.js';

/** Reads a message, which may hold several questions; they are answered one by one. */
export function understandAll(
  message: string,
  table: TableBriefing,
  history: readonly HistoryTurn[],
  now: Date,
): readonly Part[] {
  const parts = message.length > MAX_MESSAGE ? [] : new MessageReader(table, history, now).read(message);
  if (parts.length > 0) return parts;
  return [
    { question: message, understanding: understandTable(message, table, history, now), format: { decimals: null } },
  ];
}

/** Reads a question about a table. Pure: the same question about the same table is always understood alike. */
export function understand(
  question: string,
  table: TableBriefing,
  history: readonly HistoryTurn[],
  now: Date,
): Understanding {
  const [first, another] = understandAll(question, table, history, now);
  if (first !== undefined && another === undefined) return first.understanding;
  return understandTable(question, table, history, now);
}
