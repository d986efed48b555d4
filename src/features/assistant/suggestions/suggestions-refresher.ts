import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { EventStream } from '../../../ports/event-stream.js';
import type { DatasourceEvent, StreamEvent } from '../../../ports/stream-event.js';
import { DatasourceFacade } from '../../datasource/datasource.facade.js';
import { ConversationRepository } from '../conversations/conversation.repository.js';
import { SuggestionsAnnouncer } from './suggestions-announcer.js';
import { TriedQuestions } from './tried-questions.js';

const MOST_TOLD = 100;

/** When rows change, tries the questions about them again before anybody asks, and tells whose conversations have others now. */
@Injectable()
export class SuggestionsRefresher implements OnModuleInit, OnModuleDestroy {
  private stop = (): void => undefined;
  private readonly refreshing = new Set<string>();

  constructor(
    private readonly events: EventStream,
    private readonly datasources: DatasourceFacade,
    private readonly conversations: ConversationRepository,
    private readonly questions: TriedQuestions,
    private readonly announcer: SuggestionsAnnouncer,
  ) {}

  onModuleInit(): void {
    this.stop = this.events.subscribe((event) => {
      if (isChange(event) && this.questions.has(event.datasourceId)) void this.refresh(event);
    });
  }

  onModuleDestroy(): void {
    this.stop();
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
      const conversations = await this.conversations.ofDatasource(companyId, datasourceId);
      for (const conversation of conversations.slice(-MOST_TOLD)) this.announcer.tell(conversation);
    } catch {
      // Nobody waits for it: whoever asks next has them tried then.
    } finally {
      this.refreshing.delete(datasourceId);
    }
  }
}

function isChange(event: StreamEvent): event is DatasourceEvent {
  return event.type === 'datasource-updated' && event.action === 'updated';
}
