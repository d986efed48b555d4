import { Injectable } from '@nestjs/common';
import { DocumentStore, type Change, type TenantCollection } from '../../../ports/document-store.js';
import { NO_LEASE, type Lease } from '../../../queue/lease-keeper.js';
import type { CompanyId, ConversationId, DatasourceId, MessageId } from '../../../shared/ids.js';
import type { Page, PageOf } from '../../../shared/page.js';
import type { Principal } from '../../../shared/principal.js';
import {
  CONVERSATIONS,
  type AnswerInProgress,
  type Conversation,
  type ConversationEdit,
} from './conversation.schema.js';

/** Whose conversations are meant. */
export type Owner = Pick<Principal, 'companyId' | 'userId'>;

/** Conversations are private: every look at them carries the user beside the company. */
@Injectable()
export class ConversationRepository {
  private readonly collection: TenantCollection<Conversation>;

  constructor(store: DocumentStore) {
    this.collection = store.tenantCollection(CONVERSATIONS);
  }

  insert(conversation: Conversation): Promise<void> {
    return this.collection.of(conversation.companyId).insert(conversation);
  }

  async find(by: Owner, id: ConversationId): Promise<Conversation | null> {
    const conversation = await this.collection.of(by.companyId).get(id);
    return conversation?.userId === by.userId ? conversation : null;
  }

  async exists(companyId: CompanyId, id: ConversationId): Promise<boolean> {
    return (await this.collection.of(companyId).get(id)) !== null;
  }

  /** Pinned first, then newest. */
  async list(by: Owner, page: Page): Promise<PageOf<Conversation>> {
    const mine = this.collection.of(by.companyId);
    const where = { userId: by.userId };
    const [entries, total] = await Promise.all([
      mine.find(where, {
        sort: [
          ['pinned', 'desc'],
          ['updatedAt', 'desc'],
          ['id', 'desc'],
        ],
        skip: page.index * page.size,
        limit: page.size,
      }),
      mine.count(where),
    ]);
    return { entries, total };
  }

  /**
   * Null when it is not there, or busy and to be given another datasource. Leaves `updatedAt` alone: newest is who was
   * asked last, and a new title or a pin must not move a conversation among its equals.
   */
  edit(by: Principal, id: ConversationId, edit: ConversationEdit): Promise<Conversation | null> {
    const { title, datasourceId, pinned, contextOnly } = edit;
    return this.collection.of(by.companyId).update(
      { id, userId: by.userId, ...(datasourceId === null ? {} : { status: 'ready' }) },
      {
        set: {
          ...(title === null ? {} : { title }),
          ...(datasourceId === null ? {} : { datasourceId }),
          ...(pinned === null ? {} : { pinned }),
          ...(contextOnly === null ? {} : { contextOnly }),
        },
      },
    );
  }

  /** Turns to other suggestions; null when it is not there. */
  turnSuggestions({ companyId, userId, id }: Conversation, at: Date): Promise<Conversation | null> {
    const change = { increment: { suggestionTurn: 1 }, set: { suggestionsAt: at } };
    return this.collection.of(companyId).update({ id, userId }, change);
  }

  /** From ready to loading; null when another question is being answered. */
  beginAnswer(
    by: Principal,
    id: ConversationId,
    answering: AnswerInProgress,
    lease: Lease,
  ): Promise<Conversation | null> {
    return this.collection
      .of(by.companyId)
      .update(
        { id, userId: by.userId, status: 'ready' },
        { set: { status: 'loading', answering, stopWanted: null, ...lease } },
      );
  }

  /** The answer that was begun gets another id; null when it is not this owner's any more. */
  renameAnswer({ companyId, id, leaseOwner }: Conversation, answering: AnswerInProgress): Promise<Conversation | null> {
    return this.collection.of(companyId).update({ id, status: 'loading', leaseOwner }, { set: { answering } });
  }

  /** Null when the answer is not this owner's any more, or the conversation is gone. */
  renewAnswer({ companyId, id }: Conversation, lease: Lease): Promise<Conversation | null> {
    return this.collection
      .of(companyId)
      .update({ id, status: 'loading', leaseOwner: lease.leaseOwner }, { set: lease });
  }

  /** Written down, so that whichever instance works on the answer hears it; null when no answer is being made. */
  wantStop({ companyId, userId, id }: Conversation, messageId: MessageId): Promise<Conversation | null> {
    return this.collection.of(companyId).update({ id, userId, status: 'loading' }, { set: { stopWanted: messageId } });
  }

  /** As it is now, whoever asks for it; null when it is gone. */
  current({ companyId, id }: Conversation): Promise<Conversation | null> {
    return this.collection.of(companyId).get(id);
  }

  /** From loading back to ready; null when somebody did that already. */
  endAnswer(
    { companyId, id, leaseOwner }: Conversation,
    set: Change<Conversation>['set'],
  ): Promise<Conversation | null> {
    return this.collection
      .of(companyId)
      .update(
        { id, status: 'loading', leaseOwner },
        { set: { ...set, status: 'ready', answering: null, stopWanted: null, ...NO_LEASE } },
      );
  }

  /** Whether it was there. */
  async remove(by: Owner, id: ConversationId): Promise<boolean> {
    return (await this.collection.of(by.companyId).remove({ id, userId: by.userId })) === 1;
  }

  /** Others of the same user on the same datasource, newest first. */
  async ownOnDatasource(
    { companyId, userId, id, datasourceId }: Conversation,
    limit: number,
  ): Promise<readonly Conversation[]> {
    const found = await this.collection
      .of(companyId)
      .find({ userId, datasourceId }, { sort: [['id', 'desc']], limit: limit + 1 });
    return found.filter((conversation) => conversation.id !== id).slice(0, limit);
  }

  /** Of all users of the company. */
  ofDatasource(companyId: CompanyId, datasourceId: DatasourceId): Promise<readonly Conversation[]> {
    return this.collection.of(companyId).find({ datasourceId });
  }

  async removeWithDatasource({ companyId, id }: Conversation): Promise<void> {
    await this.collection.of(companyId).remove({ id });
  }

  /** Of all companies, for the reconciler. */
  allLoading(): Promise<readonly Conversation[]> {
    return this.collection.ofAll().find({ status: 'loading' });
  }
}
