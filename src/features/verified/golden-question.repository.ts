import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../../ports/document-store.js';
import { TenantRepository } from '../../ports/tenant-repository.js';
import type { CompanyId, DatasourceId } from '../../shared/ids.js';
import { ERASED_NAME, type User, UsersFacade } from '../users/users.facade.js';
import { GOLDEN_QUESTIONS, type GoldenQuestion } from './golden-question.schema.js';

/** As many as one evaluation asks. */
export const MOST_VERIFIED = 200;
/** Of a datasource, rejected ones among them; the oldest of more go. */
const MOST_CANDIDATES = 500;

@Injectable()
export class GoldenQuestionRepository extends TenantRepository<GoldenQuestion> {
  constructor(store: DocumentStore, users: UsersFacade) {
    super(store, GOLDEN_QUESTIONS, 'question');
    users.alsoErase((user) => this.eraseName(user));
  }

  verified(companyId: CompanyId, datasourceId: DatasourceId): Promise<readonly GoldenQuestion[]> {
    const where = { datasourceId, state: 'verified' };
    return this.allWhere(companyId, where, { sort: [['id', 'asc']], limit: MOST_VERIFIED });
  }

  /** @throws AppError `conflict` when the id is taken. */
  override async insert(golden: GoldenQuestion): Promise<void> {
    const { companyId, datasourceId, state } = golden;
    await super.insert(golden);
    if (state === 'verified') return;
    const surplus = (await this.countOf(companyId, { datasourceId, state })) - MOST_CANDIDATES;
    if (surplus <= 0) return;
    const oldest = await this.allWhere(
      companyId,
      { datasourceId, state },
      { sort: [['updatedAt', 'asc']], limit: surplus },
    );
    await this.removeWhere(companyId, { id: { in: oldest.map(({ id }) => id) }, state });
  }

  /** Of whoever gave an opinion or verified an answer. */
  private async eraseName({ companyId, id }: User): Promise<void> {
    for await (const golden of this.allOf(companyId)) {
      const { feedback, verifiedBy } = golden;
      if (feedback?.userId === id) await this.swap(golden, {}, { feedback: { ...feedback, name: ERASED_NAME } });
      if (verifiedBy?.id === id) await this.swap(golden, {}, { verifiedBy: { id, name: ERASED_NAME } });
    }
  }
}
