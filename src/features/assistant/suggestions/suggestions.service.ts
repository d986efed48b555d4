import { Injectable } from '@nestjs/common';
import type { ConversationId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { wordsOf } from '../../../shared/words/words.js';
import { DatasourceFacade, type ReadableDatasource } from '../../datasource/datasource.facade.js';
import { ConversationRepository } from '../conversations/conversation.repository.js';
import type { Conversation } from '../conversations/conversation.schema.js';
import { MessageRepository } from '../history/message.repository.js';
import type { Message } from '../history/message.schema.js';
import { SuggestionsRefresher } from './suggestions-refresher.js';
import { TriedQuestions } from './tried-questions.js';

const MOST_SHOWN = 6;
/** Of those that the user asked before. */
const MOST_OWN_SHOWN = 2;
const FEWEST_SHOWN = 4;
/** So many of the user's own earlier questions are tried. */
const MOST_OWN = 3;

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

/** Offers questions that can be answered on a conversation's datasource as it is now. */
@Injectable()
export class SuggestionsService {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly datasources: DatasourceFacade,
    private readonly questions: TriedQuestions,
    private readonly asked: AskedQuestions,
    private readonly refresher: SuggestionsRefresher,
  ) {}

  /**
   * The same ones until they are reloaded, or the table changes. What the user asked here before the last reload is not among them;
   * what they asked of the datasource in earlier conversations may be. None when nothing can be asked: there are no rows, or the
   * conversation is about context files alone.
   *
   * @throws AppError `not_found`, `unavailable`
   */
  async read(by: Principal, id: ConversationId): Promise<readonly string[]> {
    const conversation = await this.conversations.getOwn(by, id);
    if (conversation.contextOnly) return [];
    const datasource = await this.datasources.find(by.companyId, conversation.datasourceId);
    if (datasource === null) return [];
    const known = await this.questions.of(datasource);
    if (known.length === 0) return [];
    const [own, asked] = await Promise.all([this.ownOf(conversation, datasource), this.asked.within(conversation)]);
    return selectionOf(poolOf(known, own, asked), conversation.suggestionTurn);
  }

  /** Turns to other questions, and in the background to the rows as they are now; the user is told when both are done. */
  async reload(by: Principal, id: ConversationId): Promise<void> {
    const conversation = await this.conversations.getOwn(by, id);
    if (!(await this.refresher.reload(conversation))) throw this.conversations.missing();
  }

  private async ownOf(conversation: Conversation, datasource: ReadableDatasource): Promise<readonly string[]> {
    const own = await this.asked.before(conversation);
    return this.questions.tried(datasource, own.slice(0, MOST_OWN));
  }
}

/** The user's own come first, unless they are among those known; what was asked already is left out as long as there is enough without. */
function poolOf(known: readonly string[], own: readonly string[], asked: readonly string[]): readonly string[] {
  const all = new Map([...own.slice(0, MOST_OWN_SHOWN), ...known].toReversed().map((text) => [sameWords(text), text]));
  const pool = [...all.values()].toReversed();
  const done = new Set(asked.map(sameWords));
  const rest = pool.filter((text) => !done.has(sameWords(text)));
  return rest.length >= FEWEST_SHOWN ? rest : pool;
}

/**
 * The questions of a turn, out of all that can be asked: 4 to 6, and others with the next turn. All of them where there are no more
 * than 4.
 */
export function selectionOf(known: readonly string[], turn: number): readonly string[] {
  const shown = Math.min(known.length, known.length < MOST_SHOWN + 2 ? FEWEST_SHOWN : MOST_SHOWN);
  const first = known.length === 0 ? 0 : (turn * shown) % known.length;
  return [...known.slice(first), ...known.slice(0, first)].slice(0, shown);
}

/** Two spellings of one question are the same. */
function sameWords(question: string): string {
  return wordsOf(question).join(' ');
}

/** The question on one line that had the first answer, as often as it was asked: later ones may go on with it, and mean something else alone. */
function answeredIn(messages: readonly Message[]): readonly Message[] {
  const answered = messages.filter((question, index) => {
    const response = messages[index + 1]?.response ?? null;
    const isShort = question.message.length <= LONGEST && !/[\r\n]/.test(question.message.trim());
    return question.role === 'user' && isShort && response?.error === null && response.kind === 'answer';
  });
  return answered.filter(({ message }) => sameWords(message) === sameWords(answered[0]?.message ?? ''));
}
