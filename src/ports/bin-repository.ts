import { Injectable } from '@nestjs/common';
import type { CompanyId } from '../shared/ids.js';
import type { Page, PageOf } from '../shared/page.js';
import {
  type Change,
  type CollectionDefinition,
  DocumentStore,
  type TenantDocument,
  type Where,
} from './document-store.js';
import { TenantRepository } from './tenant-repository.js';
import { DAY_MS } from '../shared/durations.js';

const KEPT_MS = 30 * DAY_MS;
const EVER = { gt: new Date(0) } as const;

/** What can be deleted and come back. */
export interface BinDocument extends TenantDocument {
  /** From then on it is hidden from everybody; null: it is there. */
  readonly deletedAt: Date | null;
  /** Until then it is in the bin; null while it is deleted: it is being removed, and nothing brings it back. */
  readonly restorableUntil: Date | null;
}

export const NOT_DELETED = { deletedAt: null, restorableUntil: null } as const;

export interface Deletion {
  readonly at: Date;
  /** It does not go to the bin. */
  readonly permanent: boolean;
}

/** What all repositories do whose documents go to a bin when they are deleted. Each step is one compare-and-set. */
export abstract class BinRepository<T extends BinDocument> extends TenantRepository<T> {
  /** For the conditions that follow: of a type that is not known yet, an object of its fields alone is none. */
  private readonly any: Where<T> = {};

  override async find(companyId: CompanyId, id: T['id']): Promise<T | null> {
    const found = await super.find(companyId, id);
    return found?.deletedAt === null ? found : null;
  }

  /** Hides it from now on, if it still is as expected. Null: it is not, or it is gone. */
  hide(
    { companyId, id }: Pick<T, 'companyId' | 'id'>,
    expected: Where<T>,
    { at, permanent }: Deletion,
    also: Change<T>['set'] = {},
  ): Promise<T | null> {
    const restorableUntil = permanent ? null : new Date(at.getTime() + KEPT_MS);
    const set = { ...also, deletedAt: at, restorableUntil };
    return this.collection.of(companyId).update({ ...expected, id, deletedAt: null }, { set });
  }

  /** What can be restored, the last deleted first. */
  inBin(companyId: CompanyId, where: Where<T>, now: Date, page: Page): Promise<PageOf<T>> {
    return this.pageOf(companyId, { ...where, restorableUntil: { gt: now } }, page, [
      ['restorableUntil', 'desc'],
      ['id', 'desc'],
    ]);
  }

  findInBin(companyId: CompanyId, id: T['id'], where: Where<T>, now: Date): Promise<T | null> {
    return this.first(companyId, { ...where, id, restorableUntil: { gt: now } });
  }

  /** Null when it is not in the bin any more. */
  restore({ companyId, id, restorableUntil }: T, also: Change<T>['set'] = {}): Promise<T | null> {
    const set = { ...also, ...NOT_DELETED };
    return this.collection.of(companyId).update({ ...this.any, id, restorableUntil }, { set });
  }

  /** Takes it out of the bin for good; null when somebody else did, or has restored it. */
  expel({ companyId, id, restorableUntil }: T): Promise<T | null> {
    const set: Change<T>['set'] = {};
    const change = { set: { ...set, restorableUntil: null } };
    return this.collection.of(companyId).update({ ...this.any, id, restorableUntil }, change);
  }

  /** Of all companies: those whose time in the bin is over. */
  allExpired(now: Date): Promise<readonly T[]> {
    return this.collection.ofAll().find({ ...this.any, restorableUntil: { ...EVER, lte: now } });
  }

  /** Of all companies: those that are to be removed. */
  allDeleted(): Promise<readonly T[]> {
    return this.collection.ofAll().find({ ...this.any, restorableUntil: null, deletedAt: EVER });
  }

  /** One that is to be removed; null when nothing of it is left, or it may come back. */
  findDeleted(companyId: CompanyId, id: T['id']): Promise<T | null> {
    return this.first(companyId, { ...this.any, id, restorableUntil: null, deletedAt: EVER });
  }

  async removeDeleted({ companyId, id }: Pick<T, 'companyId' | 'id'>): Promise<void> {
    await this.collection.of(companyId).remove({ ...this.any, id, restorableUntil: null, deletedAt: EVER });
  }
}

/** As `repositoryOf`, of documents that go to a bin. */
export function binRepositoryOf<T extends BinDocument>(
  definition: CollectionDefinition<T>,
  noun: string,
): new (store: DocumentStore) => BinRepository<T> {
  @Injectable()
  class Repository extends BinRepository<T> {
    constructor(store: DocumentStore) {
      super(store, definition, noun);
    }
  }
  return Repository;
}
