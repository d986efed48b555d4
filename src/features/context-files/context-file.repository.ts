import { binRepositoryOf } from '../../ports/bin-repository.js';
import { NEWEST_FIRST } from '../../ports/tenant-repository.js';
import { asId, type CompanyId, type Id } from '../../shared/ids.js';
import { CONTEXT_FILES, type ContextFile } from './context-file.schema.js';

/** The context files of companies. What is being deleted is not there for anybody but the remover. */
export class ContextFileRepository extends binRepositoryOf(CONTEXT_FILES, 'context file') {
  list(companyId: CompanyId): Promise<readonly ContextFile[]> {
    return this.allWhere(companyId, { deletedAt: null }, { sort: NEWEST_FIRST });
  }

  ready(companyId: CompanyId): Promise<readonly ContextFile[]> {
    return this.allWhere(companyId, { status: 'ready', deletedAt: null });
  }

  /** The name of the company's one collection of embeddings: that which its files have already. */
  async collectionOf(companyId: CompanyId): Promise<Id<'collection'>> {
    const known = await this.first(companyId, { collectionId: { not: null } });
    return known?.collectionId ?? asId(companyId);
  }
}
