import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { IdSource } from '../../../ports/id-source.js';
import type { ConversationId, DatasourceId } from '../../../shared/ids.js';
import type { Page, PageOf } from '../../../shared/page.js';
import type { Principal } from '../../../shared/principal.js';
import { DatasourceFacade } from '../../datasource/datasource.facade.js';
import { conversationBusy, noSuchConversation } from '../assistant.errors.js';
import { ConversationRemover } from './conversation.remover.js';
import { ConversationRepository, type Owner } from './conversation.repository.js';
import type { Conversation, ConversationEdit } from './conversation.schema.js';

export interface ConversationDraft {
  readonly title: string;
  readonly datasourceId: DatasourceId;
  readonly contextOnly: boolean;
}

/** A conversation, and the name of what it asks. */
export interface NamedConversation {
  readonly conversation: Conversation;
  readonly datasourceName: string;
}

@Injectable()
export class ConversationService {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly remover: ConversationRemover,
    private readonly datasources: DatasourceFacade,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  async create(by: Principal, draft: ConversationDraft): Promise<ConversationId> {
    await this.datasources.get(by.companyId, draft.datasourceId);
    const now = this.clock.now();
    const conversation: Conversation = {
      ...draft,
      id: this.ids.next(),
      companyId: by.companyId,
      userId: by.userId,
      status: 'ready',
      answering: null,
      stopWanted: null,
      leaseOwner: null,
      leaseUntil: null,
      pinned: false,
      lastMessageAt: null,
      lastMessageId: null,
      suggestionTurn: 0,
      suggestionsAt: null,
      createdAt: now,
      updatedAt: now,
    };
    await this.conversations.insert(conversation);
    await this.assertStillThere(by, conversation);
    return conversation.id;
  }

  /** @throws AppError `not_found`, also for another user's. */
  async find(by: Owner, id: ConversationId): Promise<Conversation> {
    const conversation = await this.conversations.find(by, id);
    if (conversation === null) throw noSuchConversation();
    return conversation;
  }

  async get(by: Principal, id: ConversationId): Promise<NamedConversation> {
    return this.named(await this.find(by, id));
  }

  async list(by: Principal, page: Page): Promise<PageOf<NamedConversation>> {
    const { entries, total } = await this.conversations.list(by, page);
    return { entries: await Promise.all(entries.map((conversation) => this.named(conversation))), total };
  }

  /**
   * Changes what is given.
   *
   * @throws AppError `conflict` when it is to ask another datasource while an answer is being made.
   */
  async edit(by: Principal, id: ConversationId, edit: ConversationEdit): Promise<NamedConversation> {
    const wanted = withoutItsOwnDatasource(edit, await this.find(by, id));
    if (wanted.datasourceId !== null) await this.datasources.get(by.companyId, wanted.datasourceId);
    const edited = await this.conversations.edit(by, id, wanted);
    if (edited !== null) return this.named(edited);
    // It is gone, or it is there and busy.
    await this.find(by, id);
    throw conversationBusy();
  }

  /** An answer that is being made for it ends nowhere. */
  async delete(by: Owner, id: ConversationId): Promise<void> {
    await this.find(by, id);
    await this.remover.removeContents(by.companyId, id);
    if (!(await this.conversations.remove(by, id))) throw noSuchConversation();
  }

  /** Who deletes a datasource removes the conversations on it that are there by then; one that comes a moment later must not stay. */
  private async assertStillThere(by: Principal, { id, companyId, datasourceId }: Conversation): Promise<void> {
    try {
      await this.datasources.get(companyId, datasourceId);
    } catch (error) {
      await this.conversations.remove(by, id);
      throw error;
    }
  }

  private async named(conversation: Conversation): Promise<NamedConversation> {
    const datasource = await this.datasources.find(conversation.companyId, conversation.datasourceId);
    return { conversation, datasourceName: datasource?.name ?? '' };
  }
}

/** The datasource it asks already is no change: a busy conversation can be renamed by who sends it whole. */
function withoutItsOwnDatasource(edit: ConversationEdit, { datasourceId }: Conversation): ConversationEdit {
  return edit.datasourceId === datasourceId ? { ...edit, datasourceId: null } : edit;
}
