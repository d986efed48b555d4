import { repositoryOf } from '../../../ports/tenant-repository.js';
import type { CompanyId } from '../../../shared/ids.js';
import { UPLOADS, type Upload } from './upload.schema.js';

export class UploadRepository extends repositoryOf(UPLOADS) {
  named(companyId: CompanyId, storageKey: string): Promise<Upload | null> {
    return this.first(companyId, { storageKey });
  }

  /** Whether it was there: of two callers who take the same upload, one succeeds. */
  async take(companyId: CompanyId, storageKey: string): Promise<boolean> {
    return (await this.collection.of(companyId).remove({ storageKey })) === 1;
  }
}
