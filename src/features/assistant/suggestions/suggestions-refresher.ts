import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { EventStream } from '../../../ports/event-stream.js';
import type { DatasourceEvent, StreamEvent } from '../../../ports/stream-event.js';
import { DatasourceFacade } from '../../datasource/datasource.facade.js';
import { ConversationRepository } from '../conversations/conversation.repository.js';
import type { Conversation } from '../conversations/conversation.schema.js';
import { TriedQuestions } from './tried-questions.js';

const MOST_TOLD = 100;

/** Tries the questions about rows again, when these change or somebody wants others, and tells whose conversations have others now. */
@Injectable()
export class SuggestionsRefresher implements OnModuleInit, OnModuleDestroy {
  private stop = (): void => undefined;
  private readonly refreshing = new Set<string>();

  constructor(
    private readonly events: EventStream,
    private readonly datasources: DatasourceFacade,
    private readonly conversations: ConversationRepository,
    private readonly questions: TriedQuestions,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.stop = this.events.subscribe((event) => {
      if (isChange(event) && this.questions.has(event.datasourceId)) void this.refresh(event);
    });
  }

  onModuleDestroy(): void {
    this.stop();
  }

  /** Turns to other questions, and in the background to the rows as they are now. False when there is no such conversation any more. */
  async reload(conversation: Conversation): Promise<boolean> {
    const turned = await this.conversations.turnSuggestions(conversation, this.clock.now());
    // Nobody waits for it: what ends it is the event.
    if (turned !== null) void this.renew(turned);
    return turned !== null;
  }

  /** Turns to the rows as they are now. Never rejects. */
  private async renew(conversation: Conversation): Promise<void> {
    const { companyId, datasourceId } = conversation;
    await this.datasources
      .refreshed(companyId, datasourceId)
      .then((datasource) => this.questions.of(datasource))
      .catch(() => {
        // The questions come from the profile that there is, and can be answered as before.
      });
    this.tell(conversation);
  }

  /** One at a time for each datasource; what changes meanwhile is seen by whoever asks next. */
  private async refresh({ companyId, datasourceId }: DatasourceEvent): Promise<void> {
    if (this.refreshing.has(datasourceId)) return;
    this.refreshing.add(datasourceId);
    try {
      const before = await this.questions.last(datasourceId);
      const datasource = await this.datasources.find(companyId, datasourceId);
      if (datasource === null) return;
      const after = await this.questions.of(datasource);
      if (before.join('\n') === after.join('\n')) return;
      const conversations = await this.conversations.allWhere(companyId, { datasourceId });
      for (const conversation of conversations.slice(-MOST_TOLD)) this.tell(conversation);
    } catch {
      // Nobody waits for it: whoever asks next has them tried then.
    } finally {
      this.refreshing.delete(datasourceId);
    }
  }

  private tell({ companyId, userId, id }: Conversation): void {
    this.events.publish({ type: 'suggestions-updated', companyId, userId, conversationId: id, at: this.clock.now() });
  }
}

function isChange(event: StreamEvent): event is DatasourceEvent {
  return event.type === 'datasource-updated' && event.action === 'updated';
}
