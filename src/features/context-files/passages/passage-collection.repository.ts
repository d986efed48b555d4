import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { DocumentStore, type TenantCollection } from '../../../ports/document-store.js';
import { IdSource } from '../../../ports/id-source.js';
import { isAppError } from '../../../shared/app-error.js';
import type { CompanyId, Id } from '../../../shared/ids.js';
import { PASSAGE_COLLECTIONS, type PassageCollection } from './passage-collection.schema.js';

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
