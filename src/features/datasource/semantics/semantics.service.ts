import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { IdSource } from '../../../ports/id-source.js';
import {
  NO_SEMANTICS,
  type TableSemantics,
  type ColumnFormat,
  type ColumnSemantics,
} from '../../../ports/table-semantics.js';
import { AppError, isAppError } from '../../../shared/app-error.js';
import type { DatasourceId } from '../../../shared/ids.js';
import { mayManage, type Principal } from '../../../shared/principal.js';
import { readyTable } from '../visible-table.js';
import { DatasourceRepository } from '../datasource.repository.js';
import type { Datasource } from '../datasource.types.js';
import { SemanticsCheck, type WrittenSemantics } from './semantics-check.js';
import { SemanticsRepository } from './semantics.repository.js';
import type { SemanticsVersion } from './semantics.schema.js';
import { roleOf } from '../../../plan/column-roles.js';
import { isNumeric, type ColumnProfile, type TableProfile } from '../../../ports/table.js';

export interface SemanticsChange {
  readonly datasourceId: DatasourceId;
  /** The version that its writer has seen; 0: none. */
  readonly version: number;
  readonly semantics: WrittenSemantics;
}

export interface CurrentSemantics {
  /** Of the datasource. */
  readonly name: string;
  readonly semantics: TableSemantics;
  /** 0 as long as nothing was written. */
  readonly version: number;
  readonly writtenAt: Date | null;
  /** Whether who reads it may write it, too. */
  readonly editable: boolean;
}

/** What the table of a datasource means to its company. */
@Injectable()
export class SemanticsService {
  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly versions: SemanticsRepository,
    private readonly check: SemanticsCheck,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** The last version, or the older one that is named. @throws AppError `not_found` */
  async get(by: Principal, id: DatasourceId, version?: number): Promise<CurrentSemantics> {
    const datasource = await this.datasources.get(by.companyId, id);
    const found = await this.versions.find(by.companyId, id, version);
    if (found === null && version !== undefined) throw new AppError('not_found', 'there is no such version');
    return currentOf(found, datasource, mayManage(by, datasource));
  }

  /** Proposed from the table itself; nothing is kept. @throws AppError `conflict` without rows. */
  async draft(by: Principal, id: DatasourceId): Promise<TableSemantics> {
    return draftOf(readyTable(await this.datasources.get(by.companyId, id), this.clock.now()).profile);
  }

  /**
   * Keeps a new version, for the creator of the datasource and managers. Each of its plans is run before.
   *
   * @throws AppError `forbidden`, `invalid_input`, or `conflict` when somebody has written another one since, or there are no rows.
   */
  async put(by: Principal, { datasourceId: id, version, semantics }: SemanticsChange): Promise<CurrentSemantics> {
    const datasource = await this.datasources.get(by.companyId, id);
    if (!mayManage(by, datasource)) throw new AppError('forbidden', 'forbidden');
    const last = await this.versions.find(by.companyId, id);
    if ((last?.version ?? 0) !== version) throw hasChanged(version);
    const written = {
      id: this.ids.next<SemanticsVersion['id']>(),
      companyId: by.companyId,
      datasourceId: id,
      version: version + 1,
      semantics: await this.check.checked(semantics, readyTable(datasource, this.clock.now())),
      createdBy: by.userId,
      createdAt: this.clock.now(),
    };
    await this.versions.insert(written).catch((error: unknown) => {
      throw isAppError(error, 'conflict') ? hasChanged(version) : error;
    });
    await this.datasources.assertStillThere(by.companyId, id, () => this.versions.removeOf(by.companyId, id));
    return currentOf(written, datasource, true);
  }

  /** As `put` would keep it; nothing is kept. @throws AppError `invalid_input`, or `conflict` without rows. */
  async checked(by: Principal, id: DatasourceId, semantics: WrittenSemantics): Promise<TableSemantics> {
    return this.check.checked(semantics, readyTable(await this.datasources.get(by.companyId, id), this.clock.now()));
  }
}

function currentOf(found: SemanticsVersion | null, datasource: Datasource, editable: boolean): CurrentSemantics {
  return {
    name: datasource.name,
    semantics: found?.semantics ?? NO_SEMANTICS,
    version: found?.version ?? 0,
    writtenAt: found?.createdAt ?? null,
    editable,
  };
}

function hasChanged(version: number): AppError {
  return new AppError('conflict', `the description is not at version ${version} any more: read it again`);
}

const MOST_COLUMNS = 1000;
/** Of a column whose values are a list of categories. */
const MOST_VALUES = 30;
const LAST_IN_BRACKETS = /[([{]([^()[\]{}]{1,30})[)\]}]\s*$/;
const CURRENCY = /^(?:[€$£¥₹]|eur|euros?|usd|gbp|chf|jpy|inr|cny|pln|sek|nok|dkk|dollars?)$/i;

/** What a table says about itself: a first version for people to correct. */
function draftOf(profile: TableProfile): TableSemantics {
  return {
    ...NO_SEMANTICS,
    columns: profile.columns.slice(0, MOST_COLUMNS).map((column) => columnDraft(column, profile)),
  };
}

function columnDraft(column: ColumnProfile, profile: TableProfile): ColumnSemantics {
  const unit = isNumeric(column.type) ? (LAST_IN_BRACKETS.exec(column.name)?.[1]?.trim() ?? '') : '';
  return {
    name: column.name,
    description: '',
    synonyms: [],
    unit,
    format: formatOf(unit),
    role: roleOf(column, profile),
    allowedValues: allowedValues(column, profile),
  };
}

function formatOf(unit: string): ColumnFormat {
  if (unit === '%') return 'percent';
  return CURRENCY.test(unit) ? 'currency' : '';
}

/** Of categories: few values, each of which several rows have. */
function allowedValues({ type, distinct, topValues }: ColumnProfile, { rowCount }: TableProfile): readonly string[] {
  const isWhole = topValues.length === distinct;
  if (type !== 'text' || !isWhole || distinct > MOST_VALUES || distinct * 2 > rowCount) return [];
  return topValues.map(({ value }) => value);
}
