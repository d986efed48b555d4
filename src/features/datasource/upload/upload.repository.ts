import { Injectable } from '@nestjs/common';
import { DocumentStore, type TenantCollection } from '../../../ports/document-store.js';
import type { CompanyId, UserId } from '../../../shared/ids.js';
import { UPLOADS, type Upload } from './upload.schema.js';

@Injectable()
export class UploadRepository {
  private readonly collection: TenantCollection<Upload>;

  constructor(store: DocumentStore) {
    this.collection = store.tenantCollection(UPLOADS);
  }

  insert(upload: Upload): Promise<void> {
    return this.collection.of(upload.companyId).insert(upload);
  }

  async find(companyId: CompanyId, storageKey: string): Promise<Upload | null> {
    const [upload] = await this.collection.of(companyId).find({ storageKey }, { limit: 1 });
    return upload ?? null;
  }

  allOf(companyId: CompanyId): Promise<readonly Upload[]> {
    return this.collection.of(companyId).find({});
  }

  ofUser(companyId: CompanyId, userId: UserId): Promise<readonly Upload[]> {
    return this.collection.of(companyId).find({ createdBy: userId });
  }

  /** Whether it was there: of two callers who take the same upload, one succeeds. */
  async take(companyId: CompanyId, storageKey: string): Promise<boolean> {
    return (await this.collection.of(companyId).remove({ storageKey })) === 1;
  }

  /** Of all companies, for the sweeper. */
  olderThan(time: Date): Promise<readonly Upload[]> {
    return this.collection.ofAll().find({ createdAt: { lt: time } });
  }
}
