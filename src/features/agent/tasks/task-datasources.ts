import { Injectable } from '@nestjs/common';
import { AppError } from '../../../shared/app-error.js';
import type { CompanyId, DatasourceId } from '../../../shared/ids.js';
import { DatasourceFacade, type ReadableDatasource } from '../../datasource/datasource.facade.js';

/** The datasources that a task names. */
@Injectable()
export class TaskDatasources {
  constructor(private readonly datasources: DatasourceFacade) {}

  /** @throws AppError `not_found`, saying which of them is not the company's. */
  async all(companyId: CompanyId, ids: readonly DatasourceId[]): Promise<readonly ReadableDatasource[]> {
    const found = await Promise.all(ids.map((id) => this.datasources.find(companyId, id)));
    return found.map((datasource, index) => {
      if (datasource !== null) return datasource;
      const problem = `datasource ${index + 1} of ${ids.length} not found`;
      throw new AppError('not_found', problem, { details: [{ field: `datasources.${index}`, problem }] });
    });
  }

  /** Those that have not been deleted. */
  async existing(companyId: CompanyId, ids: readonly DatasourceId[]): Promise<readonly ReadableDatasource[]> {
    const found = await Promise.all(ids.map((id) => this.datasources.find(companyId, id)));
    return found.filter((datasource) => datasource !== null);
  }
}
