import { Injectable } from '@nestjs/common';
import type { ConversationId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { DatasourceFacade, type ReadableDatasource } from '../../datasource/datasource.facade.js';
import { noSuchConversation } from '../assistant.errors.js';
import { ConversationRepository } from '../conversations/conversation.repository.js';
import type { Conversation } from '../conversations/conversation.schema.js';
import { AskedQuestions } from './asked-questions.js';
import { poolOf, selectionOf } from './selection.js';
import { SuggestionsRefresher } from './suggestions-refresher.js';
import { TriedQuestions } from './tried-questions.js';

/** So many of the user's own earlier questions are tried. */
const MOST_OWN = 3;

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
    const conversation = await this.find(by, id);
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
    if (!(await this.refresher.reload(await this.find(by, id)))) throw noSuchConversation();
  }

  private async ownOf(conversation: Conversation, datasource: ReadableDatasource): Promise<readonly string[]> {
    const own = await this.asked.before(conversation);
    return this.questions.tried(datasource, own.slice(0, MOST_OWN));
  }

  private async find(by: Principal, id: ConversationId): Promise<Conversation> {
    const conversation = await this.conversations.findOwn(by, id);
    if (conversation === null) throw noSuchConversation();
    return conversation;
  }
}
