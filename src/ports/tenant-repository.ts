import { Injectable } from '@nestjs/common';
import { AppError, onKind } from '../shared/app-error.js';
import type { CompanyId } from '../shared/ids.js';
import { KeyedSemaphore } from '../shared/keyed-semaphore.js';
import type { Page, PageOf } from '../shared/page.js';
import {
  type Change,
  type Collection,
  type CollectionDefinition,
  DocumentStore,
  type FindOptions,
  type StoredDocument,
  type TenantCollection,
  type TenantDocument,
  type Where,
} from './document-store.js';

export const NEWEST_FIRST = [
  ['createdAt', 'desc'],
  ['id', 'desc'],
] as const;

/** How many documents of a company may fit `where`, and what is said when there would be more. */
export interface Limit<T> {
  readonly most: number;
  readonly where: Where<T>;
  readonly full: string;
}

/** Held in memory at once. */
const PAGE = 20;

/** Those that fit in the order of their ids; few are held in memory at once. */
async function* inOrder<T extends StoredDocument>(collection: Collection<T>, where: Where<T>): AsyncGenerator<T> {
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
  private readonly turns = new KeyedSemaphore();

  /** `noun`: what one of the documents is called in errors. */
  protected constructor(
    store: DocumentStore,
    definition: CollectionDefinition<T>,
    private readonly noun = 'document',
  ) {
    this.collection = store.tenantCollection(definition);
  }

  /** @throws AppError `conflict` when the id or a unique field is taken. */
  insert(document: T): Promise<void> {
    return this.collection.of(document.companyId).insert(document);
  }

  /** @throws AppError `conflict` when so many more are too many. */
  async assertWithin(companyId: CompanyId, { most, where, full }: Limit<T>, wanted: number): Promise<void> {
    if ((await this.countOf(companyId, where)) + wanted > most) throw new AppError('conflict', full);
  }

  /** All of them or none. Those of a company that are kept at once, by this instance, are counted one after the other. @throws AppError `conflict` */
  insertWithin(companyId: CompanyId, limit: Limit<T>, documents: readonly T[]): Promise<void> {
    return this.turns.run(companyId, async () => {
      await this.assertWithin(companyId, limit, documents.length);
      try {
        for (const document of documents) await this.insert(document);
      } catch (error) {
        for (const document of documents) await this.remove(document);
        throw error;
      }
    });
  }

  /** Nothing happens when it is there already. */
  async insertOnce(document: T): Promise<void> {
    await this.insert(document).catch(onKind('conflict', () => undefined));
  }

  find(companyId: CompanyId, id: T['id']): Promise<T | null> {
    return this.collection.of(companyId).get(id);
  }

  /** @throws AppError `not_found` */
  async get(companyId: CompanyId, id: T['id']): Promise<T> {
    const found = await this.find(companyId, id);
    if (found === null) throw this.missing();
    return found;
  }

  missing(): AppError {
    return new AppError('not_found', `${this.noun} not found`);
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
  async pageOf(
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

  async first(companyId: CompanyId, where: Where<T>, sort?: FindOptions<T>['sort']): Promise<T | null> {
    const [found] = await this.allWhere(companyId, where, { limit: 1, ...(sort === undefined ? {} : { sort }) });
    return found ?? null;
  }

  allWhere(companyId: CompanyId, where: Where<T>, options?: FindOptions<T>): Promise<readonly T[]> {
    return this.collection.of(companyId).find(where, options);
  }

  countOf(companyId: CompanyId, where: Where<T>): Promise<number> {
    return this.collection.of(companyId).count(where);
  }

  async removeWhere(companyId: CompanyId, where: Where<T>): Promise<void> {
    await this.collection.of(companyId).remove(where);
  }

  /** Of whatever company, as `anywhere`. */
  findAnywhere(id: T['id']): Promise<T | null> {
    return this.collection.ofAll().get(id);
  }

  /** Of all companies. For background work, administration and whoever holds a secret; never with an id from a request. */
  anywhere(where: Where<T>, options?: FindOptions<T>): Promise<readonly T[]> {
    return this.collection.ofAll().find(where, options);
  }

  /** The same in the order of their ids; few are held in memory at once. */
  anywhereInOrder(where: Where<T>): AsyncGenerator<T> {
    return inOrder(this.collection.ofAll(), where);
  }
}

/** A repository to be extended, or to be named where it needs no words of its own. */
export function repositoryOf<T extends TenantDocument>(
  definition: CollectionDefinition<T>,
  noun?: string,
): new (store: DocumentStore) => TenantRepository<T> {
  @Injectable()
  class Repository extends TenantRepository<T> {
    constructor(store: DocumentStore) {
      super(store, definition, noun);
    }
  }
  return Repository;
}
