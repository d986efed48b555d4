import { isAppError } from '../shared/app-error.js';
import type { CompanyId } from '../shared/ids.js';
import type { Page, PageOf } from '../shared/page.js';
import type {
  Change,
  Collection,
  CollectionDefinition,
  DocumentStore,
  FindOptions,
  StoredDocument,
  TenantCollection,
  TenantDocument,
  Where,
} from './document-store.js';

export const NEWEST_FIRST = [
  ['createdAt', 'desc'],
  ['id', 'desc'],
] as const;

/** Held in memory at once. */
const PAGE = 20;

/** Those that fit in the order of their ids; few are held in memory at once. */
export async function* inOrder<T extends StoredDocument>(
  collection: Collection<T>,
  where: Where<T>,
): AsyncGenerator<T> {
  for (let last = ''; ;) {
    const next = { ...where, id: { gt: last } };
    const page = await collection.find(next, { sort: [['id', 'asc']], limit: PAGE });
    yield* page;
    last = page.at(-1)?.id ?? '';
    if (page.length < PAGE) return;
  }
}

/** What all repositories of companies' documents do. Each document is reached through its company. */
export abstract class TenantRepository<T extends TenantDocument> {
  protected readonly collection: TenantCollection<T>;

  protected constructor(store: DocumentStore, definition: CollectionDefinition<T>) {
    this.collection = store.tenantCollection(definition);
  }

  /** @throws AppError `conflict` when the id or a unique field is taken. */
  insert(document: T): Promise<void> {
    return this.collection.of(document.companyId).insert(document);
  }

  /** Nothing happens when it is there already. */
  async insertOnce(document: T): Promise<void> {
    await this.insert(document).catch((error: unknown) => {
      if (!isAppError(error, 'conflict')) throw error;
    });
  }

  find(companyId: CompanyId, id: T['id']): Promise<T | null> {
    return this.collection.of(companyId).get(id);
  }

  /** Changes the document if it still is as expected; null: it is not, or it is gone. */
  swap({ companyId, id }: Pick<T, 'companyId' | 'id'>, expected: Where<T>, set: Change<T>['set']): Promise<T | null> {
    return this.collection.of(companyId).update({ ...expected, id }, { set: set ?? {} });
  }

  /** All of a company in the order of their ids; few are held in memory at once. */
  allOf(companyId: CompanyId, where: Where<T> = {}): AsyncGenerator<T> {
    return inOrder(this.collection.of(companyId), where);
  }

  /** False when it was gone already. */
  async remove({ companyId, id }: Pick<T, 'companyId' | 'id'>): Promise<boolean> {
    const none: Where<T> = {};
    return (await this.collection.of(companyId).remove({ ...none, id })) > 0;
  }

  /** One page of those that fit, and how many they are together. */
  protected async pageOf(
    companyId: CompanyId,
    where: Where<T>,
    { index, size }: Page,
    sort: FindOptions<T>['sort'],
  ): Promise<PageOf<T>> {
    const own = this.collection.of(companyId);
    const options = { skip: index * size, limit: size, ...(sort === undefined ? {} : { sort }) };
    const [entries, total] = await Promise.all([own.find(where, options), own.count(where)]);
    return { entries, total };
  }

  protected async first(companyId: CompanyId, where: Where<T>, sort?: FindOptions<T>['sort']): Promise<T | null> {
    const options = { limit: 1, ...(sort === undefined ? {} : { sort }) };
    const [found] = await this.collection.of(companyId).find(where, options);
    return found ?? null;
  }
}
