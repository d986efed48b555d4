import { Injectable } from '@nestjs/common';
import { DocumentStore, type Change } from '../../ports/document-store.js';
import { BinRepository } from '../../ports/bin-repository.js';
import { NEWEST_FIRST } from '../../ports/tenant-repository.js';
import type { Lease } from '../../queue/lease-keeper.js';
import type { CompanyId } from '../../shared/ids.js';
import { CONTEXT_FILES, type ContextFile, type FileStatus } from './context-file.schema.js';

type Changes = NonNullable<Change<ContextFile>['set']>;

/** The context files of companies. What is being deleted is not there for anybody but the remover. */
@Injectable()
export class ContextFileRepository extends BinRepository<ContextFile> {
  constructor(store: DocumentStore) {
    super(store, CONTEXT_FILES);
  }

  /** Newest first. */
  list(companyId: CompanyId): Promise<readonly ContextFile[]> {
    return this.collection.of(companyId).find({ deletedAt: null }, { sort: NEWEST_FIRST });
  }

  /** Those in the bin included. */
  count(companyId: CompanyId): Promise<number> {
    return this.collection.of(companyId).count({});
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

  /** Whether any record, deleted ones included, names these bytes. */
  async knows(companyId: CompanyId, storageKey: string): Promise<boolean> {
    return (await this.collection.of(companyId).count({ storageKey })) > 0;
  }

  /** Of all companies, for the reconciler. */
  allPending(): Promise<readonly ContextFile[]> {
    return this.collection.ofAll().find({ status: 'pending', deletedAt: null });
  }

  /** Of all companies, for the reconciler: those whose vectors another model has made. */
  allStale(model: string): Promise<readonly ContextFile[]> {
    return this.collection.ofAll().find({ status: 'ready', embeddingModel: { not: model }, deletedAt: null });
  }
}
