import { Injectable } from '@nestjs/common';
import { type Conversation, type ConversationEdit, CONVERSATIONS, idsOf } from './conversation.schema.js';
import { Clock } from '../../../ports/clock.js';
import { IdSource } from '../../../ports/id-source.js';
import type { ConversationId, DatasourceId } from '../../../shared/ids.js';
import type { Page, PageOf } from '../../../shared/page.js';
import type { Principal } from '../../../shared/principal.js';
import { DatasourceFacade } from '../../datasource/datasource.facade.js';
import { conversationBusy } from '../assistant.errors.js';
import { ConversationRemover } from './conversation.remover.js';
import { ConversationRepository, type Owner } from './conversation.repository.js';

export interface ConversationDraft {
  readonly title: string;
  /** One to five, the main one first. */
  readonly datasourceIds: readonly [DatasourceId, ...DatasourceId[]];
  readonly contextOnly: boolean;
}

/** A conversation, and what it asks, without what is gone: the main one first. */
export interface NamedConversation {
  readonly conversation: Conversation;
  readonly asked: readonly { readonly id: DatasourceId; readonly name: string }[];
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

  async create(by: Principal, { datasourceIds, ...draft }: ConversationDraft): Promise<ConversationId> {
    for (const id of datasourceIds) await this.datasources.get(by.companyId, id);
    const [datasourceId, ...otherIds] = datasourceIds;
    const now = this.clock.now();
    const conversation: Conversation = {
      ...CONVERSATIONS.blank,
      ...draft,
      datasourceId,
      otherIds,
      id: this.ids.next(),
      companyId: by.companyId,
      userId: by.userId,
      status: 'ready',
      pinned: false,
      suggestionTurn: 0,
      createdAt: now,
      updatedAt: now,
    };
    await this.conversations.insert(conversation);
    await this.assertStillThere(conversation);
    return conversation.id;
  }

  /** @throws AppError `not_found`, also for another user's. */
  async find(by: Owner, id: ConversationId): Promise<Conversation> {
    const conversation = await this.look(by, id);
    if (conversation === null) throw this.conversations.missing();
    return conversation;
  }

  /** Null when it is not there, or another user's. While its datasource is in the bin, it is not there either. */
  async look(by: Owner, id: ConversationId): Promise<Conversation | null> {
    const conversation = await this.conversations.findOwn(by, id);
    if (conversation === null) return null;
    return (await this.datasources.exists(by.companyId, conversation.datasourceId)) ? conversation : null;
  }

  async get(by: Principal, id: ConversationId): Promise<NamedConversation> {
    return this.named(await this.find(by, id));
  }

  async list(by: Principal, page: Page): Promise<PageOf<NamedConversation>> {
    const { entries, total } = await this.conversations.list(by, page, await this.datasources.idsInBin(by.companyId));
    return { entries: await Promise.all(entries.map((conversation) => this.named(conversation))), total };
  }

  /**
   * Changes what is given.
   *
   * @throws AppError `conflict` when it is to ask other datasources while an answer is being made.
   */
  async edit(by: Principal, id: ConversationId, edit: ConversationEdit): Promise<NamedConversation> {
    const wanted = withoutItsOwn(edit, await this.find(by, id));
    for (const one of wanted.datasourceIds ?? []) await this.datasources.get(by.companyId, one);
    const edited = await this.conversations.edit(by, id, wanted);
    if (edited !== null) return this.named(edited);
    // It is gone, or it is there and busy.
    await this.find(by, id);
    throw conversationBusy();
  }

  /** An answer that is being made for it ends nowhere. */
  async delete(by: Owner, id: ConversationId, permanent: boolean): Promise<void> {
    const seen = await this.find(by, id);
    const deleted = await this.conversations.discard(seen, { at: this.clock.now(), permanent });
    if (deleted === null) throw this.conversations.missing();
    if (permanent) await this.remover.remove(deleted);
  }

  /** Who deletes a datasource removes the conversations on it that are there by then; one that comes a moment later must not stay. */
  private async assertStillThere({ id, companyId, datasourceId }: Conversation): Promise<void> {
    try {
      await this.datasources.get(companyId, datasourceId);
    } catch (error) {
      await this.conversations.remove({ companyId, id });
      throw error;
    }
  }

  private async named(conversation: Conversation): Promise<NamedConversation> {
    const found = await Promise.all(idsOf(conversation).map((id) => this.datasources.find(conversation.companyId, id)));
    return { conversation, asked: found.flatMap((one) => (one === null ? [] : [{ id: one.id, name: one.name }])) };
  }
}

/** What it asks already is no change: a busy conversation can be renamed by who sends it whole. */
function withoutItsOwn(edit: ConversationEdit, conversation: Conversation): ConversationEdit {
  const { datasourceIds: ids, namesMain } = edit;
  const isSame = ids?.join() === idsOf(conversation).join() || (namesMain && ids?.[0] === conversation.datasourceId);
  return isSame ? { ...edit, datasourceIds: null } : edit;
}
