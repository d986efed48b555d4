import { Injectable } from '@nestjs/common';
import { DocumentStore, type Change, type Where } from '../../ports/document-store.js';
import { NEWEST_FIRST, TenantRepository } from '../../ports/tenant-repository.js';
import type { TableProfile } from '../../ports/table.js';
import type { Lease } from '../../queue/lease-keeper.js';
import type { CompanyId, DatasourceId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import { DATASOURCES } from './datasource.schema.js';
import type { Datasource, DatasourceEdit } from './datasource.types.js';

/** The datasources of companies. What is being deleted is not there for anybody but the remover. */
@Injectable()
export class DatasourceRepository extends TenantRepository<Datasource> {
  constructor(store: DocumentStore) {
    super(store, DATASOURCES);
  }

  override async find(companyId: CompanyId, id: DatasourceId): Promise<Datasource | null> {
    const datasource = await super.find(companyId, id);
    return datasource?.deletedAt === null ? datasource : null;
  }

  /** A company's, one by one: their profiles are large. */
  override allOf(companyId: CompanyId): AsyncGenerator<Datasource> {
    return super.allOf(companyId, { deletedAt: null });
  }

  /** Newest first. `search` is a part of the name, upper and lower case alike. */
  list(companyId: CompanyId, page: Page, search: string): Promise<PageOf<Datasource>> {
    const where = { deletedAt: null, ...(search === '' ? {} : { name: { contains: search } }) };
    return this.pageOf(companyId, where, page, NEWEST_FIRST);
  }

  /**
   * Null when it is not there. Replaces only what is edited, so that two edits, or an edit and an import, can't undo one another:
   * the rest of `config` is fixed from the creation on, and an import does not write it.
   */
  edit({ companyId, id, config }: Datasource, { name, context }: DatasourceEdit, at: Date): Promise<Datasource | null> {
    return this.collection.of(companyId).update(
      { id, deletedAt: null },
      {
        set: {
          ...(name === null ? {} : { name }),
          ...(context === null ? {} : { config: { ...config, context } }),
          updatedAt: at,
        },
      },
    );
  }

  /** Says that rows may come in until then. Null when they may not: it is gone, or an import has begun. */
  markInserting(seen: Datasource, until: Date): Promise<Datasource | null> {
    return this.updateRows(seen, {}, { set: { insertingUntil: until } });
  }

  /** What is told of the rows, unless somebody counted since `seen`, the datasource is gone or an import has begun. */
  storeCount(
    seen: Datasource,
    counted: Pick<Datasource, 'docCount' | 'assets'> & Partial<Pick<Datasource, 'updatedAt' | 'insertingUntil'>>,
  ): Promise<Datasource | null> {
    const { insertions, insertingUntil } = seen;
    const unseen = counted.insertingUntil === undefined ? { insertions } : { insertions, insertingUntil };
    return this.updateRows(seen, unseen, { set: counted, increment: { insertions: 1 } });
  }

  /** Null when the rows that it describes are not those that are read now. */
  storeProfile(seen: Datasource, profile: TableProfile): Promise<Datasource | null> {
    return this.updateRows(seen, {}, { set: { profile } });
  }

  private updateRows(
    { companyId, id, generation }: Datasource,
    unless: Where<Datasource>,
    change: Change<Datasource>,
  ): Promise<Datasource | null> {
    return this.collection
      .of(companyId)
      .update({ id, generation, updating: false, deletedAt: null, ...unless }, change);
  }

  /** Whether an upload is being made the rows of a datasource. */
  async isImporting(companyId: CompanyId, filename: string): Promise<boolean> {
    return (await this.collection.of(companyId).count({ filename, updating: true })) > 0;
  }

  /** Takes the lease that `seen` shows, unless somebody took it since. */
  takeLease(seen: Datasource, change: Lease & NonNullable<Change<Datasource>['set']>): Promise<Datasource | null> {
    return this.collection
      .of(seen.companyId)
      .update(
        { id: seen.id, updating: true, deletedAt: null, leaseOwner: seen.leaseOwner, leaseUntil: seen.leaseUntil },
        { set: change },
      );
  }

  /** Changes it as its importer; null when the lease is lost or the datasource is being deleted. */
  changeAsOwner(
    of: Pick<Datasource, 'companyId' | 'id'>,
    owner: string,
    set: Change<Datasource>['set'],
  ): Promise<Datasource | null> {
    return this.collection
      .of(of.companyId)
      .update({ id: of.id, leaseOwner: owner, deletedAt: null }, { set: set ?? {} });
  }

  /** Ends an import that nobody holds any more. */
  failUnowned(companyId: CompanyId, id: DatasourceId, set: Change<Datasource>['set']): Promise<Datasource | null> {
    return this.collection.of(companyId).update({ id, updating: true, deletedAt: null }, { set: set ?? {} });
  }

  /** Hides it from now on. Null when it is not there. */
  markDeleted(companyId: CompanyId, id: DatasourceId, at: Date): Promise<Datasource | null> {
    return this.collection
      .of(companyId)
      .update({ id, deletedAt: null }, { set: { deletedAt: at, updating: false, updatedAt: at } });
  }

  findDeleted(companyId: CompanyId, id: DatasourceId): Promise<readonly Datasource[]> {
    return this.collection.of(companyId).find({ id, deletedAt: { gt: new Date(0) } });
  }

  async removeDeleted(companyId: CompanyId, id: DatasourceId): Promise<void> {
    await this.collection.of(companyId).remove({ id, deletedAt: { gt: new Date(0) } });
  }

  /** Of all companies, for the reconciler. */
  allUpdating(): Promise<readonly Datasource[]> {
    return this.collection.ofAll().find({ updating: true, deletedAt: null });
  }

  /** Of all companies, for the reconciler. Those whose rows came in, or may have, and are not all counted for certain. */
  allInserting(before: Date): Promise<readonly Datasource[]> {
    return this.collection.ofAll().find({ insertingUntil: { gt: new Date(0), lte: before }, deletedAt: null });
  }

  /** Of all companies, those that have rows, in the order of their ids: the next ones after `id`. */
  nextOf(id: string, limit: number): Promise<readonly Datasource[]> {
    const where = { id: { gt: id }, generation: { gt: 0 }, updating: false, deletedAt: null };
    return this.collection.ofAll().find(where, { sort: [['id', 'asc']], limit });
  }

  /** Of all companies, for the reconciler. */
  allDeleted(): Promise<readonly Datasource[]> {
    return this.collection.ofAll().find({ deletedAt: { gt: new Date(0) } });
  }
}
