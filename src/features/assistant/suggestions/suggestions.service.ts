import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../../ports/clock.js';
import { EventStream } from '../../../ports/event-stream.js';
import { QuestionSuggester } from '../../../ports/question-suggester.js';
import type { ConversationId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { DatasourceFacade, type ReadableDatasource } from '../../datasource/datasource.facade.js';
import { noSuchConversation } from '../assistant.errors.js';
import { ConversationRepository } from '../conversations/conversation.repository.js';
import type { Conversation } from '../conversations/conversation.schema.js';
import { MOST_KNOWN, selectionOf } from './selection.js';

/** Datasources whose questions are kept. */
const MOST_TABLES = 500;

/** Offers questions that can be answered on a conversation's datasource as it is now. */
@Injectable()
export class SuggestionsService {
  private readonly known = new LRUCache<string, readonly string[]>({ max: MOST_TABLES });

  constructor(
    private readonly conversations: ConversationRepository,
    private readonly datasources: DatasourceFacade,
    private readonly suggester: QuestionSuggester,
    private readonly events: EventStream,
    private readonly clock: Clock,
  ) {}

  /**
   * The same ones until they are reloaded, or the table changes. None when nothing can be asked: there are no rows, or the
   * conversation is about context files alone.
   */
  async read(by: Principal, id: ConversationId): Promise<readonly string[]> {
    const conversation = await this.find(by, id);
    if (conversation.contextOnly) return [];
    const datasource = await this.datasources.find(by.companyId, conversation.datasourceId);
    return datasource === null ? [] : selectionOf(this.knownFor(datasource), conversation.suggestionTurn);
  }

  /** Turns to other questions, and in the background to the rows as they are now; the user is told when both are done. */
  async reload(by: Principal, id: ConversationId): Promise<void> {
    const turned = await this.conversations.turnSuggestions(await this.find(by, id));
    if (turned === null) throw noSuchConversation();
    // Nobody waits for it: what ends it is the event.
    void this.renew(turned);
  }

  private async renew({ companyId, userId, id, datasourceId }: Conversation): Promise<void> {
    await this.datasources.refreshed(companyId, datasourceId).catch(() => {
      // The questions come from the profile that there is, and can be answered as before.
    });
    this.events.publish({ type: 'suggestions-updated', companyId, userId, conversationId: id, at: this.clock.now() });
  }

  /** Trying questions takes the processor for a while, so it is done once for each state of the rows. */
  private knownFor({ id, version, profile }: ReadableDatasource): readonly string[] {
    if (profile === null || profile.rowCount === 0) return [];
    const key = JSON.stringify([id, version, profile.rowCount, profile.timeRange]);
    const known = this.known.get(key) ?? this.suggester.suggest(profile, MOST_KNOWN);
    this.known.set(key, known);
    return known;
  }

  private async find(by: Principal, id: ConversationId): Promise<Conversation> {
    const conversation = await this.conversations.find(by, id);
    if (conversation === null) throw noSuchConversation();
    return conversation;
  }
}
