import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { DocumentStore, type TenantCollection } from '../../../ports/document-store.js';
import { IdSource } from '../../../ports/id-source.js';
import { TenantRepository } from '../../../ports/tenant-repository.js';
import { isAppError } from '../../../shared/app-error.js';
import type { CompanyId, Id } from '../../../shared/ids.js';
import type { ContextFile } from '../context-file.schema.js';
import { PASSAGE_BATCHES, PASSAGE_COLLECTIONS } from './passage-batch.schema.js';
import type { PassageBatch, PassageCollection } from './passage-batch.schema.js';

type FileKey = Pick<ContextFile, 'companyId' | 'id'>;

/** The passages of context files. */
@Injectable()
export class PassageBatchRepository extends TenantRepository<PassageBatch> {
  private readonly collections: TenantCollection<PassageCollection>;

  constructor(
    store: DocumentStore,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {
    super(store, PASSAGE_BATCHES);
    this.collections = store.tenantCollection(PASSAGE_COLLECTIONS);
  }

  /** What is the file's now, in its order; nothing while it has none. */
  async of({ companyId, id, attempt }: ContextFile): Promise<readonly PassageBatch[]> {
    if (attempt === null) return [];
    return this.allWhere(companyId, { fileId: id, attempt }, { sort: [['place', 'asc']] });
  }

  async removeAttempt({ companyId, id }: FileKey, attempt: string): Promise<void> {
    await this.collection.of(companyId).remove({ fileId: id, attempt });
  }

  /** All but those that are the file's now. */
  async removeOthers({ companyId, id, attempt }: ContextFile): Promise<void> {
    const others = attempt === null ? {} : { attempt: { not: attempt } };
    await this.collection.of(companyId).remove({ fileId: id, ...others });
  }

  /** The company's one collection, made the first time it is asked for. */
  async collectionOf(companyId: CompanyId): Promise<Id<'collection'>> {
    const own = this.collections.of(companyId);
    const [known] = await own.find({}, { limit: 1 });
    if (known !== undefined) return known.id;
    const made: PassageCollection = { id: this.ids.next(), companyId, createdAt: this.clock.now() };
    try {
      await own.insert(made);
      return made.id;
    } catch (error) {
      // Somebody else was a moment earlier.
      const [theirs] = isAppError(error, 'conflict') ? await own.find({}, { limit: 1 }) : [];
      if (theirs === undefined) throw error;
      return theirs.id;
    }
  }
}
