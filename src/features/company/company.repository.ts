import { Injectable } from '@nestjs/common';
import { DocumentStore, type Collection } from '../../ports/document-store.js';
import type { CompanyId } from '../../shared/ids.js';
import { COMPANIES, type Company } from './company.schema.js';

@Injectable()
export class CompanyRepository {
  private readonly collection: Collection<Company>;

  constructor(store: DocumentStore) {
    this.collection = store.collection(COMPANIES);
  }

  /** @throws AppError `conflict` when the id is taken. */
  insert(company: Company): Promise<void> {
    return this.collection.insert(company);
  }

  find(id: CompanyId): Promise<Company | null> {
    return this.collection.get(id);
  }

  all(): Promise<readonly Company[]> {
    return this.collection.find({}, { sort: [['id', 'asc']] });
  }

  count(): Promise<number> {
    return this.collection.count({});
  }
}
