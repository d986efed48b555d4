import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ChartImages } from '../../../answering/chart-images.js';
import type { CompanyId, ConversationId, DatasourceId } from '../../../shared/ids.js';
import { DatasourceFacade } from '../../datasource/datasource.facade.js';
import { VerifiedFacade } from '../../verified/verified.facade.js';
import { MessageRepository } from '../history/message.repository.js';
import { ConversationRepository } from './conversation.repository.js';

/** Removes what belongs to a conversation: its messages and their images. */
@Injectable()
export class ConversationRemover implements OnModuleInit {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly messages: MessageRepository,
    private readonly charts: ChartImages,
    private readonly datasources: DatasourceFacade,
    private readonly verified: VerifiedFacade,
  ) {}

  onModuleInit(): void {
    this.datasources.alsoRemove((companyId, datasourceId) => this.removeOf(companyId, datasourceId));
  }

  /** Images first, so that an interrupted removal still knows their names. */
  async removeContents(companyId: CompanyId, id: ConversationId): Promise<void> {
    for (const { response } of await this.messages.all(companyId, id)) {
      // The picture of a verified answer is shown in other conversations, too; the sweeper removes the last.
      const name = response?.verified == null ? (response?.visualization ?? '') : '';
      if (name !== '') await this.charts.remove(companyId, name);
    }
    await this.messages.removeAll(companyId, id);
    await this.verified.forget(companyId, id);
  }

  private async removeOf(companyId: CompanyId, datasourceId: DatasourceId): Promise<void> {
    for (const conversation of await this.conversations.ofDatasource(companyId, datasourceId)) {
      await this.removeContents(companyId, conversation.id);
      await this.conversations.removeWithDatasource(conversation);
    }
  }
}
