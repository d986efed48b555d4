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
  nextUntried(companyId: CompanyId): Promise<ContextFile | null> {
    const where = { status: 'pending', startedAt: null, deletedAt: null } as const;
    return this.first(companyId, where, [['createdAt', 'asc']]);
  }

  /** One whose vectors another model has made, and that was not interrupted too often. */
  nextStale(companyId: CompanyId, model: string, mostInterrupted: number): Promise<ContextFile | null> {
    const isStale = { status: 'ready', embeddingModel: { not: model }, deletedAt: null } as const;
    return this.first(companyId, { ...isStale, interrupted: { lte: mostInterrupted } });
  }

  /** Takes the lease that `seen` shows, unless somebody took it since. */
  takeLease(seen: ContextFile, change: Lease & Changes): Promise<ContextFile | null> {
    const { status, leaseOwner, leaseUntil } = seen;
    return this.swap(seen, { status, deletedAt: null, leaseOwner, leaseUntil }, change);
  }

  /** Changes it as who works on it; null when the lease is lost or the file is deleted. */
  changeAsOwner(file: ContextFile, owner: string, set: Changes): Promise<ContextFile | null> {
    return this.swap(file, { leaseOwner: owner, deletedAt: null }, set);
  }

  /** Ends a processing that nobody holds any more. */
  failPending(seen: ContextFile, set: Changes): Promise<ContextFile | null> {
    return this.swap(seen, { status: 'pending', deletedAt: null, leaseOwner: seen.leaseOwner }, set);
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
