import { repositoryOf } from '../../../ports/tenant-repository.js';
import type { ContextFile } from '../context-file.schema.js';
import { PASSAGE_BATCHES, type PassageBatch } from './passage-batch.schema.js';

/** The passages of context files. */
export class PassageBatchRepository extends repositoryOf(PASSAGE_BATCHES) {
  /** What is the file's now, in its order; nothing while it has none. */
  async of({ companyId, id, attempt }: ContextFile): Promise<readonly PassageBatch[]> {
    if (attempt === null) return [];
    return this.allWhere(companyId, { fileId: id, attempt }, { sort: [['place', 'asc']] });
  }

  /** All but those that are the file's now. */
  removeOthers({ companyId, id, attempt }: ContextFile): Promise<void> {
    return this.removeWhere(companyId, { fileId: id, ...(attempt === null ? {} : { attempt: { not: attempt } }) });
  }
}
