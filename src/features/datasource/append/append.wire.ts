import { IsNotEmpty, IsOptional, IsString } from 'class-validator';
import { Envelope, onWire } from '../../../http/envelope.wire.js';
import { IsIdentifier, OptionalParts, OptionalText, OptionalTexts } from '../../../http/fields.js';
import type { DatasourceId } from '../../../shared/ids.js';
import { ChosenFilesBody } from '../upload/upload.wire.js';
import type { AppendDraft, AppendPlan } from './append.service.js';

/** What a column of the file is in the datasource. */
export class AppendMappingBody {
  /** As the header calls it. */
  @IsString() @IsNotEmpty() readonly column!: string;

  /** The column of the datasource; null: it is not taken. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly to?: string | null;
}

export class AppendBody extends ChosenFilesBody {
  @IsIdentifier() readonly datasource_id!: DatasourceId;
  /** Columns whose names differ, or that are not to be taken. All others go by their names, upper and lower case alike. */
  @OptionalParts(2000, () => AppendMappingBody) readonly mapping?: AppendMappingBody[];
  /** Columns of the datasource. A row of the file takes the place of the earlier rows that have the same values in all of them; without keys every row is added. */
  @OptionalTexts(20) readonly keys?: string[];
  /** Layout of the file's timestamps; empty: that of the datasource where it fits, else detected. */
  @OptionalText(0, 100) readonly timeformat?: string;
}

export class AppendResponse extends Envelope {
  readonly datasource_id!: string;
  /** Columns of the file that the datasource does not have, or that are not to be taken. */
  readonly ignored_columns!: string[];
  /** Columns of the datasource that the file does not have: its rows have no value there. */
  readonly missing_columns!: string[];
  /** Empty when the datasource is no time series. */
  readonly timeformat!: string;
}

export function appendDraftFrom(body: AppendBody): AppendDraft {
  return {
    datasourceId: body.datasource_id,
    filename: body.filename,
    files: body.files ?? [],
    mapping: (body.mapping ?? []).map(({ column, to = null }) => ({ column, to })),
    keys: body.keys ?? [],
    timeFormat: body.timeformat ?? '',
  };
}

export function appendView({ datasourceId }: AppendDraft, plan: AppendPlan): Omit<AppendResponse, keyof Envelope> {
  const columns = onWire(plan, 'ignoredColumns', 'missingColumns');
  return { ...columns, datasource_id: datasourceId, timeformat: plan.timeFormat };
}
