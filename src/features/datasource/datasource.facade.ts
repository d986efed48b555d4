import { Injectable } from '@nestjs/common';
import { withSaidRoles } from '../../plan/column-roles.js';
import { Clock } from '../../ports/clock.js';
import type { TableSemantics } from '../../ports/table-semantics.js';
import type { TableProfile, TableRef } from '../../ports/table.js';
import type { CompanyId, DatasourceId } from '../../shared/ids.js';
import { ProfileBuilder } from './data/profile-builder.js';
import { DatasourceRepository } from './datasource.repository.js';
import type { Datasource } from './datasource.types.js';
import { DatasourceRemover, type RemoveDependents } from './import/datasource-remover.js';
import { SemanticsRepository } from './semantics/semantics.repository.js';
import { visibleTable } from './visible-table.js';

export { MOST_ROWS } from './data/insert.wire.js';
export { TAKEN, UploadService } from './upload/upload.service.js';

/** What other features may know of a datasource. */
export interface ReadableDatasource {
  readonly id: DatasourceId;
  readonly name: string;
  readonly context: string;
  /** What its columns and figures mean; null: nobody has said it. */
  readonly semantics: TableSemantics | null;
  /** Null until the first import is done. */
  readonly table: TableRef | null;
  readonly profile: TableProfile | null;
  readonly isTimeseries: boolean;
  /** Changes whenever the rows do. */
  readonly version: string;
  /** The reason why there are no rows, when there are none. */
  readonly state: Datasource['import']['status'];
}

/** The door to datasources for other features. */
@Injectable()
export class DatasourceFacade {
  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly remover: DatasourceRemover,
    private readonly clock: Clock,
    private readonly profiles: ProfileBuilder,
    private readonly semantics: SemanticsRepository,
  ) {}

  async find(companyId: CompanyId, id: DatasourceId): Promise<ReadableDatasource | null> {
    const datasource = await this.datasources.find(companyId, id);
    return datasource === null ? null : this.readable(datasource);
  }

  /** In the order of the ids; null: it is not there. */
  findAll(companyId: CompanyId, ids: readonly DatasourceId[]): Promise<readonly (ReadableDatasource | null)[]> {
    return Promise.all(ids.map((id) => this.find(companyId, id)));
  }

  async get(companyId: CompanyId, id: DatasourceId): Promise<ReadableDatasource> {
    return this.readable(await this.datasources.get(companyId, id));
  }

  async exists(companyId: CompanyId, id: DatasourceId): Promise<boolean> {
    return (await this.datasources.find(companyId, id)) !== null;
  }

  async idsInBin(companyId: CompanyId): Promise<readonly DatasourceId[]> {
    const binned = await this.datasources.allWhere(companyId, { restorableUntil: { gt: new Date(0) } });
    return binned.map(({ id }) => id);
  }

  /** As `get`, with a profile that knows of the rows as they are now. */
  async refreshed(companyId: CompanyId, id: DatasourceId): Promise<ReadableDatasource> {
    const datasource = await this.datasources.find(companyId, id);
    if (datasource !== null && isStale(datasource)) await this.profiles.rebuild(datasource);
    return this.get(companyId, id);
  }

  alsoRemove(dependents: RemoveDependents): void {
    this.remover.alsoRemove(dependents);
  }

  private async readable(datasource: Datasource): Promise<ReadableDatasource> {
    const semantics = (await this.semantics.of(datasource.companyId, datasource.id))?.semantics ?? null;
    const { profile } = datasource;
    return {
      id: datasource.id,
      name: datasource.name,
      context: datasource.config.context,
      semantics,
      table: visibleTable(datasource, this.clock.now()),
      profile: profile === null ? null : withSaidRoles(profile, semantics),
      isTimeseries: datasource.config.isTimeseries,
      version: `${datasource.generation}.${datasource.insertions}`,
      state: datasource.import.status,
    };
  }
}

/** Rows came in, or outlived their lifespan, since the profile was made. */
function isStale({ profile, docCount }: Datasource): boolean {
  return profile !== null && profile.rowCount !== docCount;
}
