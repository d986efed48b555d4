import { Injectable } from '@nestjs/common';
import { DocumentStore, type TenantCollection } from '../../../ports/document-store.js';
import type { CompanyId, Id } from '../../../shared/ids.js';
import type { ContextFile } from '../context-file.schema.js';
import { PASSAGE_BATCHES, type PassageBatch } from './passage-batch.schema.js';
import { Clock } from '../../../ports/clock.js';
import { IdSource } from '../../../ports/id-source.js';
import { isAppError } from '../../../shared/app-error.js';
import { PASSAGE_COLLECTIONS, type PassageCollection } from './passage-collection.schema.js';

type FileKey = Pick<ContextFile, 'companyId' | 'id'>;

/** The passages of context files. */
@Injectable()
export class PassageBatchRepository {
  private readonly collection: TenantCollection<PassageBatch>;

  constructor(store: DocumentStore) {
    this.collection = store.tenantCollection(PASSAGE_BATCHES);
  }

  insert(batch: PassageBatch): Promise<void> {
    return this.collection.of(batch.companyId).insert(batch);
  }

  get(companyId: CompanyId, id: Id<'passages'>): Promise<PassageBatch | null> {
    return this.collection.of(companyId).get(id);
  }

  /** What is the file's now, in its order; nothing while it has none. */
  async of({ companyId, id, attempt }: ContextFile): Promise<readonly PassageBatch[]> {
    if (attempt === null) return [];
    return this.collection.of(companyId).find({ fileId: id, attempt }, { sort: [['place', 'asc']] });
  }

  async removeAttempt({ companyId, id }: FileKey, attempt: string): Promise<void> {
    await this.collection.of(companyId).remove({ fileId: id, attempt });
  }

  /** All of the file's but those of one attempt. */
  async removeOthers({ companyId, id }: FileKey, attempt: string | null): Promise<void> {
    await this.collection
      .of(companyId)
      .remove({ fileId: id, ...(attempt === null ? {} : { attempt: { not: attempt } }) });
  }

  async removeAll({ companyId, id }: FileKey): Promise<void> {
    await this.collection.of(companyId).remove({ fileId: id });
  }
}

@Injectable()
export class PassageCollectionRepository {
  private readonly collection: TenantCollection<PassageCollection>;

  constructor(
    store: DocumentStore,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {
    this.collection = store.tenantCollection(PASSAGE_COLLECTIONS);
  }

  /** The company's one collection, made the first time it is asked for. */
  async idOf(companyId: CompanyId): Promise<Id<'collection'>> {
    const known = await this.find(companyId);
    if (known !== null) return known.id;
    const made: PassageCollection = { id: this.ids.next(), companyId, createdAt: this.clock.now() };
    try {
      await this.collection.of(companyId).insert(made);
      return made.id;
    } catch (error) {
      // Somebody else was a moment earlier.
      const theirs = isAppError(error, 'conflict') ? await this.find(companyId) : null;
      if (theirs === null) throw error;
      return theirs.id;
    }
  }

  private async find(companyId: CompanyId): Promise<PassageCollection | null> {
    const [collection] = await this.collection.of(companyId).find({}, { limit: 1 });
    return collection ?? null;
  }
}
