import { binRepositoryOf, type Deletion } from '../../../ports/bin-repository.js';
import type { Change } from '../../../ports/document-store.js';
import { type Lease, NO_LEASE } from '../../../queue/lease-keeper.js';
import type { ConversationId, DatasourceId } from '../../../shared/ids.js';
import type { Page, PageOf } from '../../../shared/page.js';
import type { Principal } from '../../../shared/principal.js';
import { said } from '../../../shared/said.js';
import {
  CONVERSATIONS,
  type AnswerInProgress,
  type Conversation,
  type ConversationEdit,
} from './conversation.schema.js';

const ANSWER_ENDED = { status: 'ready', answering: null, stopWanted: null, ...NO_LEASE } as const;

/** Whose conversations are meant. */
export type Owner = Pick<Principal, 'companyId' | 'userId'>;

/** Conversations are private: every look at them carries the user beside the company. */
export class ConversationRepository extends binRepositoryOf(CONVERSATIONS, 'conversation') {
  async findOwn(by: Owner, id: ConversationId): Promise<Conversation | null> {
    const conversation = await this.find(by.companyId, id);
    return conversation?.userId === by.userId ? conversation : null;
  }

  /** @throws AppError `not_found`, also for another user's. */
  async getOwn(by: Owner, id: ConversationId): Promise<Conversation> {
    const conversation = await this.findOwn(by, id);
    if (conversation === null) throw this.missing();
    return conversation;
  }

  /** Whether its messages are somebody's: it is there, or may come back from the bin. */
  async isKept({ companyId, id }: Conversation): Promise<boolean> {
    const found = await this.collection.of(companyId).get(id);
    return found !== null && (found.deletedAt === null || found.restorableUntil !== null);
  }

  /** Pinned first, then newest. */
  list(by: Owner, page: Page, without: readonly DatasourceId[]): Promise<PageOf<Conversation>> {
    const where = {
      userId: by.userId,
      deletedAt: null,
      ...(without.length === 0 ? {} : { datasourceId: { notIn: without } }),
    };
    return this.pageOf(by.companyId, where, page, [
      ['pinned', 'desc'],
      ['updatedAt', 'desc'],
      ['id', 'desc'],
    ]);
  }

  /**
   * Null when it is not there, or busy and to be given other datasources. Leaves `updatedAt` alone: newest is who was
   * asked last, and a new title or a pin must not move a conversation among its equals.
   */
  edit(by: Principal, id: ConversationId, edit: ConversationEdit): Promise<Conversation | null> {
    const { title, datasourceIds, pinned, contextOnly } = edit;
    const [datasourceId, ...otherIds] = datasourceIds ?? [];
    return this.swap(
      { companyId: by.companyId, id },
      { userId: by.userId, deletedAt: null, ...(datasourceId === undefined ? {} : { status: 'ready' }) },
      said({ title, datasourceId, otherIds: datasourceId && otherIds, pinned, contextOnly }),
    );
  }

  /** Turns to other suggestions; null when it is not there. */
  turnSuggestions({ companyId, userId, id }: Conversation, at: Date): Promise<Conversation | null> {
    const change = { increment: { suggestionTurn: 1 }, set: { suggestionsAt: at } };
    return this.collection.of(companyId).update({ id, userId }, change);
  }

  /** From ready to loading; null when another question is being answered. */
  beginAnswer(
    { companyId, userId }: Principal,
    id: ConversationId,
    answering: AnswerInProgress,
    lease: Lease,
  ): Promise<Conversation | null> {
    const set = { status: 'loading', answering, stopWanted: null, ...lease } as const;
    return this.swap({ companyId, id }, { userId, status: 'ready', deletedAt: null }, set);
  }

  /** Changes the answer that is being made; null when it is not this owner's any more, or the conversation is gone. */
  changeAnswer(
    { companyId, id, leaseOwner }: Conversation,
    set: Change<Conversation>['set'],
  ): Promise<Conversation | null> {
    return this.swap({ companyId, id }, { status: 'loading', leaseOwner }, set);
  }

  /** As it is now, whoever asks for it; null when it is gone. */
  current({ companyId, id }: Conversation): Promise<Conversation | null> {
    return this.collection.of(companyId).get(id);
  }

  /** From loading back to ready; null when somebody did that already. */
  endAnswer(seen: Conversation, set: Change<Conversation>['set']): Promise<Conversation | null> {
    return this.changeAnswer(seen, { ...set, ...ANSWER_ENDED });
  }

  /** Hides it, also from whoever works on an answer. Null when it is gone. */
  discard(conversation: Pick<Conversation, 'companyId' | 'id'>, deletion: Deletion): Promise<Conversation | null> {
    return this.hide(conversation, {}, deletion, ANSWER_ENDED);
  }

  /** Others of the same user on the same datasource, newest first. */
  async ownOnDatasource(
    { companyId, userId, id, datasourceId }: Conversation,
    limit: number,
  ): Promise<readonly Conversation[]> {
    const where = { userId, datasourceId, deletedAt: null };
    const found = await this.allWhere(companyId, where, { sort: [['id', 'desc']], limit: limit + 1 });
    return found.filter((conversation) => conversation.id !== id).slice(0, limit);
  }
}
