import { PickType } from '@nestjs/swagger';
import { IsArray, IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Min } from 'class-validator';
import { answerOf, onWire } from '../../http/envelope.wire.js';
import {
  IsIdentifier,
  OptionalFlag,
  OptionalOneOf,
  OptionalParts,
  OptionalText,
  Part,
  Name,
} from '../../http/fields.js';
import type { DatasourceId } from '../../shared/ids.js';
import { COLUMN_ROLES, COLUMN_TYPES, type ColumnRole, type ColumnType } from '../../ports/table.js';
import { GRANULARITIES, SOURCE_TYPES, type Granularity, type SourceType } from './datasource.types.js';
import type { Datasource, DatasourceDraft } from './datasource.types.js';
import { PlaceView, placeView } from './places/place.wire.js';
import { ChosenFilesBody } from './upload/upload.wire.js';

const SAID_ROLES = COLUMN_ROLES.filter((role) => role !== '');

/** What is to be another way than the file has it. */
export class ColumnChangeBody {
  /** As the header calls it. */
  @IsString() @IsNotEmpty() readonly column!: string;
  /** What it is called from now on; left out: as before. */
  @OptionalText(1, 1000) readonly name?: string;
  /** What it holds: a text that is no such value counts as a missing one. Left out: as it is detected. */
  @OptionalOneOf(COLUMN_TYPES) readonly type?: ColumnType;
  /** What answers and charts do with its numbers: `sum`, `average`, or `none` when they only name something. Left out: as it is decided. */
  @OptionalOneOf(SAID_ROLES) readonly role?: ColumnRole;
}

/** How the rows of a file are to be read. Names are the header's own. */
export class DatasourceConfigBody {
  /** Name of the metadata column; always required. */
  @IsString() @IsNotEmpty() readonly metafield!: string;
  /** Name of the timestamp column; required for a time series. */
  @IsOptional() @IsString() readonly timefield?: string;

  /** Measures; empty: every numeric column but those two. */
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly values?: string[];

  /** Layout of the timestamps: Go, strftime or Unicode tokens, `unix` or `unix_ms`; empty: detected. */
  @OptionalText(0, 100) readonly timeformat?: string;
  @OptionalOneOf(GRANULARITIES) readonly granularity?: Granularity;
  @OptionalFlag() readonly is_timeseries?: boolean;

  /** Seconds from a row's timestamp until it is gone; 0: kept for ever. */
  @IsOptional()
  @IsInt()
  @Min(0)
  readonly lifespan?: number;

  /** Free text that improves answers. */
  @OptionalText(0, 20_000) readonly context?: string;
  /** Columns that get another name or type before they are imported. */
  @OptionalParts(2000, () => ColumnChangeBody) readonly column_changes?: ColumnChangeBody[];
}

export class CreateDatasourceBody extends ChosenFilesBody {
  @Name(200) readonly name!: string;
  /** `csv` may be said of every file: what it is, its bytes tell. */
  @IsIn(SOURCE_TYPES) readonly type!: SourceType;
  @Part(() => DatasourceConfigBody) readonly config!: DatasourceConfigBody;
}

export class EditDatasourceBody {
  @IsIdentifier() readonly id!: DatasourceId;
  /** Left out: stays as it is. */
  @IsOptional() @Name(200) readonly name?: string;
  /** Free text that improves answers; left out: stays as it is. */
  @OptionalText(0, 20_000) readonly context?: string;
}

export class DeleteDatasourceBody {
  @IsIdentifier() readonly id!: DatasourceId;
  /** True: it does not go to the bin. */
  @OptionalFlag() readonly permanent?: boolean;
}

export class PlainDatasourcesBody {
  /** A part of the name. */
  @OptionalText(0, 200) readonly search?: string;
  /** Zero-based; what can't be read is 0. */
  @IsOptional() readonly page?: number;
  @IsOptional() readonly page_size?: number;
}

/** A column that was renamed or given a type at the creation. */
export class ColumnChangeView {
  /** As the header calls it. */
  readonly column!: string;
  readonly name!: string;
  /** Null: as it was detected. */
  readonly type!: string | null;
  /** Null: as it was decided. */
  readonly role!: string | null;
}

export class DatasourceConfigView {
  /** The distinct values of the metafield, sorted, the first 1,000. */
  readonly assets!: string[];
  readonly columns!: string[][];
  readonly timefield!: string;
  readonly metafield!: string;
  readonly values!: string[];
  readonly timeformat!: string;
  readonly granularity!: string;
  readonly is_timeseries!: boolean;
  readonly lifespan!: number;
  readonly context!: string;
  readonly column_changes!: ColumnChangeView[];
}

export class LoadedFileView {
  /** Storage key of its upload. */
  readonly filename!: string;
  /** The original name; in an archive the path there. */
  readonly file!: string;
  /** Bytes, unpacked. */
  readonly size!: number;
  readonly rows!: number;
  readonly rejected!: number;
}

export class RejectedLineView {
  /** Which of the files. */
  readonly file!: string;
  readonly line!: number | null;
  readonly reason!: string;
  readonly text!: string;
}

export class ImportView {
  /** pending, running, ready or failed: of the last file. Earlier rows stay when a further file fails. */
  readonly status!: string;
  readonly rows!: number;
  readonly rejected!: number;
  /** Of a file that was added: rows that are new; null when it was the first. */
  readonly added!: number | null;
  /** Of a file that was added: earlier rows that gave way to others. */
  readonly replaced!: number | null;
  /** The first 100. */
  readonly rejected_sample!: RejectedLineView[];
  readonly percent!: number | null;
  readonly error!: string | null;
  readonly started_at!: string | null;
  readonly finished_at!: string | null;
}

export class DatasourceView {
  readonly id!: string;
  readonly name!: string;
  readonly type!: string;
  readonly filename!: string;
  /** Original names, one per CSV file; in an archive the paths there. */
  readonly files!: string[];
  /** What became of each of them, once they are imported. */
  readonly d_files!: LoadedFileView[];
  readonly config!: DatasourceConfigView;
  readonly doc_count!: number;
  readonly updating!: boolean;
  readonly import!: ImportView;
  /** Where it is fetched from; null: it was made from an upload. */
  readonly place!: PlaceView | null;
  readonly created_at!: string;
  readonly updated_at!: string;
}

export class DatasourceCreatedResponse extends answerOf({ datasource_id: String }) {}
export class DatasourceResponse extends answerOf({ datasource: DatasourceView }) {}
export class DatasourcesResponse extends answerOf({ datasources: [DatasourceView], total: Number }) {}

export class PlainDatasourceView extends PickType(DatasourceView, ['id', 'name']) {}

export class PlainDatasourcesResponse extends answerOf({ datasources: [PlainDatasourceView], total: Number }) {}

export function draftFrom({ name, filename, type, files, config }: CreateDatasourceBody): DatasourceDraft {
  return { name, filename, type, files: files ?? [], config: configFrom(config) };
}

function configFrom(config: DatasourceConfigBody): DatasourceDraft['config'] {
  const timeField = config.timefield ?? '';
  const changes = config.column_changes ?? [];
  return {
    isTimeseries: config.is_timeseries ?? timeField !== '',
    timeField,
    timeFormat: config.timeformat ?? '',
    granularity: config.granularity ?? '',
    lifespan: config.lifespan ?? 0,
    metaField: config.metafield,
    values: config.values ?? [],
    context: config.context ?? '',
    changes: changes.map(({ column, name = column, type = null, role }) => ({ column, name, type, role })),
  };
}

export function datasourceView(datasource: Datasource): DatasourceView {
  return {
    ...onWire(datasource, 'id', 'name', 'type', 'filename', 'docCount', 'updating', 'createdAt', 'updatedAt'),
    files: datasource.sources.map(({ name }) => name),
    d_files: datasource.loadedFiles.map(({ filename = datasource.filename, ...file }) => ({ filename, ...file })),
    config: configView(datasource),
    import: importView(datasource),
    place: placeView(datasource),
  };
}

function configView({ config, assets }: Datasource): DatasourceConfigView {
  return {
    ...onWire(config, 'columns', 'values', 'granularity', 'isTimeseries', 'lifespan', 'context'),
    assets: [...assets],
    timefield: config.timeField,
    metafield: config.metaField,
    timeformat: config.timeFormat,
    column_changes: (config.changes ?? []).map(({ role = null, ...change }) => ({ ...change, role })),
  };
}

function importView({ import: state }: Datasource): ImportView {
  return {
    ...onWire(state, 'status', 'rows', 'rejected', 'percent', 'error', 'startedAt', 'finishedAt'),
    added: state.added ?? null,
    replaced: state.replaced ?? null,
    rejected_sample: state.rejectedSample.map(({ file, line, reason, text }) => ({ file, line, reason, text })),
  };
}
