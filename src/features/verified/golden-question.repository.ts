import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../../ports/document-store.js';
import { TenantRepository } from '../../ports/tenant-repository.js';
import type { CompanyId, ConversationId, DatasourceId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import {
  GOLDEN_QUESTIONS,
  type GoldenQuestion,
  type GoldenQuestionId,
  type GoldenState,
} from './golden-question.schema.js';

/** As many as one evaluation asks. */
export const MOST_VERIFIED = 200;
/** Of a datasource, rejected ones among them; the oldest of more go. */
const MOST_CANDIDATES = 500;

@Injectable()
export class GoldenQuestionRepository extends TenantRepository<GoldenQuestion> {
  constructor(store: DocumentStore) {
    super(store, GOLDEN_QUESTIONS);
  }

  /** Oldest first. */
  verified(companyId: CompanyId, datasourceId: DatasourceId): Promise<readonly GoldenQuestion[]> {
    const where = { datasourceId, state: 'verified' } as const;
    return this.collection.of(companyId).find(where, { sort: [['id', 'asc']], limit: MOST_VERIFIED });
  }

  /** The same without a company. For administration alone. */
  verifiedAnywhere(datasourceId: DatasourceId): Promise<readonly GoldenQuestion[]> {
    return this.collection.ofAll().find({ datasourceId, state: 'verified' }, { sort: [['id', 'asc']] });
  }

  /** Last changed first. */
  list(
    companyId: CompanyId,
    datasourceId: DatasourceId,
    state: GoldenState,
    page: Page,
  ): Promise<PageOf<GoldenQuestion>> {
    return this.pageOf(companyId, { datasourceId, state }, page, [['updatedAt', 'desc']]);
  }

  ofConversation(companyId: CompanyId, conversationId: ConversationId): Promise<readonly GoldenQuestion[]> {
    return this.collection.of(companyId).find({ conversationId });
  }

  /** @throws AppError `conflict` when the id is taken. */
  override async insert(golden: GoldenQuestion): Promise<void> {
    const own = this.collection.of(golden.companyId);
    await super.insert(golden);
    if (golden.state === 'verified') return;
    const where = { datasourceId: golden.datasourceId, state: golden.state };
    const surplus = (await own.count(where)) - MOST_CANDIDATES;
    if (surplus <= 0) return;
    const oldest = await own.find(where, { sort: [['updatedAt', 'asc']], limit: surplus });
    await own.remove({ id: { in: oldest.map(({ id }) => id) }, state: golden.state });
  }

  /** One that nobody has judged. */
  async removeCandidate(companyId: CompanyId, id: GoldenQuestionId): Promise<void> {
    await this.collection.of(companyId).remove({ id, state: 'candidate' });
  }

  /** What was verified stays. */
  async removeOfConversation(companyId: CompanyId, conversationId: ConversationId): Promise<void> {
    await this.collection.of(companyId).remove({ conversationId, state: { not: 'verified' } });
  }

  async removeOf(companyId: CompanyId, datasourceId: DatasourceId): Promise<void> {
    await this.collection.of(companyId).remove({ datasourceId });
  }
}
