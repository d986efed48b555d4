import { Injectable } from '@nestjs/common';
import { DocumentStore, type Change } from '../../ports/document-store.js';
import { NEWEST_FIRST, TenantRepository } from '../../ports/tenant-repository.js';
import type { Lease } from '../../queue/lease-keeper.js';
import type { CompanyId, FileId } from '../../shared/ids.js';
import { CONTEXT_FILES, type ContextFile, type FileStatus } from './context-file.schema.js';

type Changes = NonNullable<Change<ContextFile>['set']>;

/** The context files of companies. What is being deleted is not there for anybody but the remover. */
@Injectable()
export class ContextFileRepository extends TenantRepository<ContextFile> {
  constructor(store: DocumentStore) {
    super(store, CONTEXT_FILES);
  }

  override async find(companyId: CompanyId, id: FileId): Promise<ContextFile | null> {
    const file = await super.find(companyId, id);
    return file?.deletedAt === null ? file : null;
  }

  /** Newest first. */
  list(companyId: CompanyId): Promise<readonly ContextFile[]> {
    return this.collection.of(companyId).find({ deletedAt: null }, { sort: NEWEST_FIRST });
  }

  count(companyId: CompanyId): Promise<number> {
    return this.collection.of(companyId).count({ deletedAt: null });
  }

  withStatus(companyId: CompanyId, status: FileStatus): Promise<readonly ContextFile[]> {
    return this.collection.of(companyId).find({ status, deletedAt: null });
  }

  /** The oldest that nobody has worked on yet. */
  async nextUntried(companyId: CompanyId): Promise<ContextFile | null> {
    const [next] = await this.collection
      .of(companyId)
      .find({ status: 'pending', startedAt: null, deletedAt: null }, { sort: [['createdAt', 'asc']], limit: 1 });
    return next ?? null;
  }

  /** One whose vectors another model has made, and that was not interrupted too often. */
  async nextStale(companyId: CompanyId, model: string, mostInterrupted: number): Promise<ContextFile | null> {
    const [next] = await this.collection.of(companyId).find(
      {
        status: 'ready',
        embeddingModel: { not: model },
        interrupted: { lte: mostInterrupted },
        deletedAt: null,
      },
      { limit: 1 },
    );
    return next ?? null;
  }

  /** Takes the lease that `seen` shows, unless somebody took it since. */
  takeLease(seen: ContextFile, change: Lease & Changes): Promise<ContextFile | null> {
    const { id, companyId, status, leaseOwner, leaseUntil } = seen;
    return this.collection
      .of(companyId)
      .update({ id, status, deletedAt: null, leaseOwner, leaseUntil }, { set: change });
  }

  /** Changes it as who works on it; null when the lease is lost or the file is deleted. */
  changeAsOwner({ companyId, id }: ContextFile, owner: string, set: Changes): Promise<ContextFile | null> {
    return this.collection.of(companyId).update({ id, leaseOwner: owner, deletedAt: null }, { set });
  }

  /** Ends a processing that nobody holds any more. */
  failPending({ companyId, id, leaseOwner }: ContextFile, set: Changes): Promise<ContextFile | null> {
    return this.collection.of(companyId).update({ id, status: 'pending', deletedAt: null, leaseOwner }, { set });
  }

  /** Hides it from now on. Null when it is not there, or pending. */
  markDeleted(companyId: CompanyId, id: FileId, at: Date): Promise<ContextFile | null> {
    return this.collection
      .of(companyId)
      .update({ id, deletedAt: null, status: { in: ['ready', 'failed'] } }, { set: { deletedAt: at, updatedAt: at } });
  }

  /** Whether any record, deleted ones included, names these bytes. */
  async knows(companyId: CompanyId, storageKey: string): Promise<boolean> {
    return (await this.collection.of(companyId).count({ storageKey })) > 0;
  }

  /** Of all companies, for the reconciler. */
  allPending(): Promise<readonly ContextFile[]> {
    return this.collection.ofAll().find({ status: 'pending', deletedAt: null });
  }

  /** Of all companies, for the reconciler. */
  allDeleted(): Promise<readonly ContextFile[]> {
    return this.collection.ofAll().find({ deletedAt: { gt: new Date(0) } });
  }

  /** Of all companies, for the reconciler: those whose vectors another model has made. */
  allStale(model: string): Promise<readonly ContextFile[]> {
    return this.collection.ofAll().find({ status: 'ready', embeddingModel: { not: model }, deletedAt: null });
  }
}
