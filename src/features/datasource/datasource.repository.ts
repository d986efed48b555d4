import { binRepositoryOf } from '../../ports/bin-repository.js';
import type { Change, Where } from '../../ports/document-store.js';
import type { CompanyId, DatasourceId } from '../../shared/ids.js';
import { DATASOURCES } from './datasource.schema.js';
import type { Datasource } from './datasource.types.js';

/** The datasources of companies. What is being deleted is not there for anybody but the remover. */
export class DatasourceRepository extends binRepositoryOf(DATASOURCES, 'datasource') {
  /** After something was kept of it: its removal may have passed that by, and `undo` takes it away then. @throws AppError `not_found` */
  async assertStillThere(companyId: CompanyId, id: DatasourceId, undo: () => Promise<unknown>): Promise<void> {
    if ((await this.find(companyId, id)) !== null) return;
    await undo();
    throw this.missing();
  }

  /** What takes room of a company's, the bin included, one by one: their profiles are large. */
  async *allStored(companyId: CompanyId): AsyncGenerator<Datasource> {
    for await (const datasource of this.allOf(companyId))
      if (datasource.deletedAt === null || datasource.restorableUntil !== null) yield datasource;
  }

  /** Changes it while its rows are those that `seen` shows. Null: they are others by now, or are being changed, or it is gone. */
  changeRows(
    { companyId, id, generation }: Datasource,
    change: Change<Datasource>,
    expected: Where<Datasource> = {},
  ): Promise<Datasource | null> {
    const where = { id, generation, updating: false, deletedAt: null, ...expected };
    return this.collection.of(companyId).update(where, change);
  }

  /** Whether an upload is being made the rows of a datasource. */
  async isImporting(companyId: CompanyId, filename: string): Promise<boolean> {
    const updating = await this.allWhere(companyId, { updating: true });
    return updating.some((datasource) => [datasource.filename, datasource.append?.filename].includes(filename));
  }
}
