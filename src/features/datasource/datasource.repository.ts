import { Injectable } from '@nestjs/common';
import { DocumentStore, type Change, type Where } from '../../ports/document-store.js';
import { BinRepository } from '../../ports/bin-repository.js';
import { inOrder, NEWEST_FIRST } from '../../ports/tenant-repository.js';
import type { TableProfile } from '../../ports/table.js';
import { NO_LEASE, type Lease } from '../../queue/lease-keeper.js';
import type { CompanyId, DatasourceId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import { DATASOURCES } from './datasource.schema.js';
import type { Append, Datasource, DatasourceEdit, ImportState } from './datasource.types.js';

/** The datasources of companies. What is being deleted is not there for anybody but the remover. */
@Injectable()
export class DatasourceRepository extends BinRepository<Datasource> {
  constructor(store: DocumentStore) {
    super(store, DATASOURCES);
  }

  /** What takes room of a company's, the bin included, one by one: their profiles are large. */
  async *allStored(companyId: CompanyId): AsyncGenerator<Datasource> {
    for await (const datasource of this.allOf(companyId))
      if (datasource.deletedAt === null || datasource.restorableUntil !== null) yield datasource;
  }

  async idsInBin(companyId: CompanyId): Promise<readonly DatasourceId[]> {
    const binned = await this.collection.of(companyId).find({ restorableUntil: { gt: new Date(0) } });
    return binned.map(({ id }) => id);
  }

  /** Newest first. `search` is a part of the name, upper and lower case alike. */
  list(companyId: CompanyId, page: Page, search: string): Promise<PageOf<Datasource>> {
    const where = { deletedAt: null, ...(search === '' ? {} : { name: { contains: search } }) };
    return this.pageOf(companyId, where, page, NEWEST_FIRST);
  }

  /**
   * Null when it is not there, or has another file meanwhile. Replaces only what is edited, so that two edits, or an edit and an import,
   * can't undo one another: the rest of `config` belongs to the file, and an import does not write it.
   */
  edit(
    { companyId, id, filename, config }: Datasource,
    { name, context }: DatasourceEdit,
    at: Date,
  ): Promise<Datasource | null> {
    const set = {
      ...(name === null ? {} : { name }),
      ...(context === null ? {} : { config: { ...config, context } }),
      updatedAt: at,
    };
    // The columns of the config are those of the file.
    return this.swap({ companyId, id }, { filename, deletedAt: null }, set);
  }

  /** From now on a file is being added. Null when the rows are others by now, or are being changed. */
  beginAppend(seen: Datasource, append: Append, state: ImportState, at: Date): Promise<Datasource | null> {
    return this.updateRows(seen, {}, { set: { append, import: state, updating: true, ...NO_LEASE, updatedAt: at } });
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
    // While a file is added, rows that came just before it are still counted.
    const { updating } = seen;
    const unseen = { insertions, updating, ...(counted.insertingUntil === undefined ? {} : { insertingUntil }) };
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
    const updating = await this.collection.of(companyId).find({ updating: true });
    return updating.some((datasource) => [datasource.filename, datasource.append?.filename].includes(filename));
  }

  /** Takes the lease that `seen` shows, unless somebody took it since. */
  takeLease(seen: Datasource, change: Lease & NonNullable<Change<Datasource>['set']>): Promise<Datasource | null> {
    const { leaseOwner, leaseUntil } = seen;
    return this.swap(seen, { updating: true, deletedAt: null, leaseOwner, leaseUntil }, change);
  }

  /** Changes it as its importer; null when the lease is lost or the datasource is being deleted. */
  changeAsOwner(
    of: Pick<Datasource, 'companyId' | 'id'>,
    owner: string,
    set: Change<Datasource>['set'],
  ): Promise<Datasource | null> {
    return this.swap(of, { leaseOwner: owner, deletedAt: null }, set);
  }

  /** What was fetched takes the place of what there was, as its fetcher says; null when the lease is lost, or somebody changed the datasource since. */
  storeFetched(seen: Datasource, owner: string, set: Change<Datasource>['set']): Promise<Datasource | null> {
    return this.swap(seen, { updatedAt: seen.updatedAt, leaseOwner: owner, deletedAt: null }, set);
  }

  /** Begins a fetch, unless somebody works on it, or has begun one or another turn since `seen`. */
  beginFetch(seen: Datasource, set: Change<Datasource>['set']): Promise<Datasource | null> {
    const { generation, nextFetchAt = null } = seen;
    return this.swap(seen, { generation, nextFetchAt, updating: false, deletedAt: null }, set);
  }

  /** Of all companies, those whose turn to be fetched has come. */
  allToFetch(now: Date): Promise<readonly Datasource[]> {
    return this.collection.ofAll().find({ nextFetchAt: { lte: now }, updating: false, deletedAt: null });
  }

  /** Of all companies, those that keep rows of an earlier generation, which nobody reads any more. */
  allWithOldRows(now: Date): Promise<readonly Datasource[]> {
    return this.collection.ofAll().find({ oldRowsUntil: { lte: now }, deletedAt: null });
  }

  /** Of all companies, those that are fetched, a few at once. */
  allWithPlace(): AsyncGenerator<Datasource> {
    return inOrder(this.collection.ofAll(), { place: { not: null } });
  }

  /** Ends an import that nobody holds any more. */
  failUnowned(seen: Datasource, set: Change<Datasource>['set']): Promise<Datasource | null> {
    return this.swap(seen, { updating: true, deletedAt: null }, set);
  }

  /** Of all companies, for the reconciler. */
  allUpdating(): Promise<readonly Datasource[]> {
    return this.collection.ofAll().find({ updating: true, deletedAt: null });
  }

  /** Of all companies, for the reconciler. Those whose rows came in, or may have, and are not all counted for certain. */
  allInserting(before: Date): Promise<readonly Datasource[]> {
    return this.collection.ofAll().find({ insertingUntil: { gt: new Date(0), lte: before }, deletedAt: null });
  }

  /** Of all companies, those that have rows, a few at once: their profiles are large. */
  allWithRows(): AsyncGenerator<Datasource> {
    return inOrder(this.collection.ofAll(), { generation: { gt: 0 }, updating: false, deletedAt: null });
  }
}
