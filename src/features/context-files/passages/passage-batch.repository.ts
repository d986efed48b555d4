import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { DocumentStore } from '../../../ports/document-store.js';
import { IdSource } from '../../../ports/id-source.js';
import { repositoryOf, TenantRepository } from '../../../ports/tenant-repository.js';
import type { CompanyId, Id } from '../../../shared/ids.js';
import type { ContextFile } from '../context-file.schema.js';
import { PASSAGE_BATCHES, PASSAGE_COLLECTIONS, type PassageBatch } from './passage-batch.schema.js';

class PassageCollections extends repositoryOf(PASSAGE_COLLECTIONS) {}

/** The passages of context files. */
@Injectable()
export class PassageBatchRepository extends TenantRepository<PassageBatch> {
  private readonly collections: PassageCollections;

  constructor(
    store: DocumentStore,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {
    super(store, PASSAGE_BATCHES);
    this.collections = new PassageCollections(store);
  }

  /** What is the file's now, in its order; nothing while it has none. */
  async of({ companyId, id, attempt }: ContextFile): Promise<readonly PassageBatch[]> {
    if (attempt === null) return [];
    return this.allWhere(companyId, { fileId: id, attempt }, { sort: [['place', 'asc']] });
  }

  /** All but those that are the file's now. */
  removeOthers({ companyId, id, attempt }: ContextFile): Promise<void> {
    return this.removeWhere(companyId, { fileId: id, ...(attempt === null ? {} : { attempt: { not: attempt } }) });
  }

  /** The company's one collection, made the first time it is asked for. */
  async collectionOf(companyId: CompanyId): Promise<Id<'collection'>> {
    const known = await this.collections.first(companyId, {});
    if (known !== null) return known.id;
    // Somebody else may be a moment earlier: there is one of a company.
    await this.collections.insertOnce({ id: this.ids.next(), companyId, createdAt: this.clock.now() });
    return this.collectionOf(companyId);
  }
}
