import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ChartImages } from '../../../answering/chart-images.js';
import { ImageSweeper } from '../../../answering/image-sweeper.js';
import type { CompanyId } from '../../../shared/ids.js';
import { DatasourceFacade } from '../../datasource/datasource.facade.js';
import { VerifiedFacade } from '../../verified/verified.facade.js';
import type { Conversation } from './conversation.schema.js';
import { MessageRepository } from '../history/message.repository.js';
import { Clock } from '../../../ports/clock.js';
import type { Where } from '../../../ports/document-store.js';
import { Bin } from '../../bin/bin.facade.js';
import { ConversationRepository } from './conversation.repository.js';

/** What belongs to a conversation: its messages and their images. */
@Injectable()
export class ConversationContents implements OnModuleInit {
  constructor(
    private readonly messages: MessageRepository,
    private readonly charts: ChartImages,
    private readonly verified: VerifiedFacade,
    private readonly sweeper: ImageSweeper,
  ) {}

  /** The images of stored messages stay. */
  onModuleInit(): void {
    this.sweeper.alsoShown((companyId) => this.shown(companyId));
  }

  /** Images first, so that an interrupted removal still knows their names. */
  async remove({ companyId, id }: Pick<Conversation, 'companyId' | 'id'>): Promise<void> {
    for (const { response } of await this.messages.allWhere(companyId, { conversationId: id })) {
      // The picture of a verified answer is shown in other conversations, too; the sweeper removes the last.
      const name = response?.verified == null ? (response?.visualization ?? '') : '';
      if (name !== '') await this.charts.remove(companyId, name);
    }
    await this.messages.removeWhere(companyId, { conversationId: id });
    await this.verified.forget(companyId, id);
  }

  private async *shown(companyId: CompanyId): AsyncGenerator<string> {
    for await (const { response } of this.messages.allOf(companyId)) {
      const name = response?.visualization ?? '';
      if (name !== '') yield name;
    }
  }
}

/** Removes conversations, with what belongs to them. */
@Injectable()
export class ConversationRemover implements OnModuleInit {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly contents: ConversationContents,
    private readonly datasources: DatasourceFacade,
    private readonly clock: Clock,
    private readonly bin: Bin,
  ) {}

  onModuleInit(): void {
    this.datasources.alsoRemove((companyId, datasourceId) => this.removeWhere(companyId, { datasourceId }));
    this.bin.holds({
      kind: 'conversation',
      things: this.conversations,
      nameOf: ({ title }) => title,
      // What can't be seen when it is restored, because its datasource is in the bin, comes back with that one.
      deletableBy: async ({ companyId, userId }) => ({
        userId,
        datasourceId: { notIn: await this.datasources.idsInBin(companyId) },
      }),
      whenRestored: () => ({}),
      remove: (conversation) => this.remove(conversation),
    });
  }

  /** Contents first, so that an interrupted removal is found again. */
  async remove(deleted: Conversation): Promise<void> {
    await this.contents.remove(deleted);
    await this.conversations.removeDeleted(deleted);
  }

  /**
   * For good, those in the bin, too. Each is hidden first, so that an answer that is being made is not kept. Whatever breaks it off, it can
   * be asked for again.
   */
  async removeWhere(companyId: CompanyId, where: Where<Conversation>): Promise<void> {
    for await (const conversation of this.conversations.allOf(companyId, where)) {
      await this.conversations.discard(conversation, { at: this.clock.now(), permanent: true });
      await this.conversations.expel(conversation);
      const deleted = await this.conversations.findDeleted(companyId, conversation.id);
      if (deleted !== null) await this.remove(deleted);
    }
  }
}
