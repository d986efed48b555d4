import { Injectable } from '@nestjs/common';
import { ConversationRepository } from '../conversations/conversation.repository.js';
import type { Conversation } from '../conversations/conversation.schema.js';
import { MessageRepository } from '../history/message.repository.js';
import type { Message } from '../history/message.schema.js';

const MOST_CONVERSATIONS = 10;
const MOST_MESSAGES = 40;
const LONGEST = 200;

/** What a user asked before; only their own conversations are looked at. */
@Injectable()
export class AskedQuestions {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly messages: MessageRepository,
  ) {}

  /** In this conversation, until its suggestions were last reloaded, so that they stay the same until then. */
  async within(conversation: Conversation): Promise<readonly string[]> {
    const until = conversation.suggestionsAt ?? null;
    if (until === null) return [];
    const messages = await this.messages.before(conversation, null, MOST_MESSAGES);
    return messages
      .filter(({ role, createdAt }) => role === 'user' && createdAt <= until)
      .map(({ message }) => message);
  }

  /** On the same datasource before this conversation began, and answered: the most frequent first, then the newest. */
  async before(conversation: Conversation): Promise<readonly string[]> {
    const others = await this.conversations.ownOnDatasource(conversation, MOST_CONVERSATIONS);
    const found = await Promise.all(others.map((other) => this.messages.before(other, null, MOST_MESSAGES)));
    const asked = found.flatMap(answeredIn).filter(({ createdAt }) => createdAt < conversation.createdAt);
    const newest = asked.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    const counts = new Map<string, { readonly text: string; readonly times: number }>();
    for (const { message } of newest) {
      const known = counts.get(sameWords(message));
      counts.set(sameWords(message), { text: known?.text ?? message.trim(), times: (known?.times ?? 0) + 1 });
    }
    return [...counts.values()].sort((a, b) => b.times - a.times).map(({ text }) => text);
  }
}

/** Two spellings of one question are the same. */
export function sameWords(question: string): string {
  return (
    question
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  );
}

/** Questions on one line whose answer was one. */
function answeredIn(messages: readonly Message[]): readonly Message[] {
  return messages.filter((question, index) => {
    const response = messages[index + 1]?.response ?? null;
    const isShort = question.message.length <= LONGEST && !/[\r\n]/.test(question.message.trim());
    return question.role === 'user' && isShort && response?.error === null && response.kind === 'answer';
  });
}
