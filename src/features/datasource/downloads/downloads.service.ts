import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { type FileFormat, RowDownloads } from '../../../ports/row-downloads.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { type AskedRows, rowsAsked } from '../data/time-range.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { timeFormatsOf } from '../datasource.types.js';
import { importedTable, ownColumns } from '../visible-table.js';
import type { RejectedLine } from '../../../ports/row-engine.js';
import { csvRecord } from '../../../shared/csv-text.js';
import { invalidField } from '../../../shared/app-error.js';

/** Which rows a caller wants. What is empty is not asked for. */
export interface ExportRequest extends AskedRows {
  readonly datasourceId: DatasourceId;
  readonly columns: string;
  readonly format: FileFormat;
}

/** A file on its way. It breaks off with an error; it never ends early. */
export interface Download {
  /** The datasource's. */
  readonly name: string;
  readonly text: Readable;
  readonly format: FileFormat;
}

/** What users take away from a datasource. The work ends with the signal, which says that its reader is gone. */
@Injectable()
export class DownloadsService {
  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly downloads: RowDownloads,
    private readonly clock: Clock,
  ) {}

  /**
   * The rows, the old ones until a running import is complete.
   *
   * @throws AppError `conflict` before the first import is done, `invalid_input` when a column is unknown, `rate_limited` when too many exports run.
   */
  async rows(by: Principal, request: ExportRequest, gone: AbortSignal): Promise<Download> {
    const datasource = await this.datasources.get(by.companyId, request.datasourceId);
    const { timeField, timeFormat, isTimeseries } = datasource.config;
    const now = this.clock.now();
    const wanted = {
      ...rowsAsked(request, { timeFormat, now }),
      columns: request.columns === '' ? ownColumns(datasource) : columnNamesIn(request.columns),
      timeFormats: [
        ...timeFormatsOf(datasource.sources).filter(([column]) => column !== timeField),
        ...(isTimeseries ? [[timeField, timeFormat] as const] : []),
      ],
    };
    const { format } = request;
    const text = await this.downloads.exportRows(importedTable(datasource, now), wanted, format);
    return { name: datasource.name, text: endedBy(gone, text), format };
  }

  /**
   * The lines that the import left out, with the reasons.
   *
   * @throws AppError `conflict` before the first import is done, `unavailable` when the list is damaged.
   */
  async rejects(by: Principal, id: DatasourceId, gone: AbortSignal): Promise<Download> {
    const datasource = await this.datasources.get(by.companyId, id);
    const lines = await this.downloads.rejectedLines(importedTable(datasource, this.clock.now()));
    const text = Readable.from(rejectsCsv(lines), { objectMode: false });
    return { name: datasource.name, text: endedBy(gone, text), format: 'csv' };
  }
}

/** The text ends with the signal. */
export function endedBy(gone: AbortSignal, text: Readable): Readable {
  const end = (): void => {
    text.destroy();
  };
  if (gone.aborted) end();
  gone.addEventListener('abort', end, { once: true });
  return text;
}

const HEADER = ['file', 'line', 'reason', 'text'];
/** Characters that are handed on at once. */
const PIECE = 64 * 1024;

/** Lines that were left out as CSV text, in pieces. */
async function* rejectsCsv(lines: AsyncIterable<RejectedLine>): AsyncGenerator<string> {
  let piece = csvRecord(HEADER);
  for await (const { file, line, reason, text } of lines) {
    piece += csvRecord([file, line === null ? '' : String(line), reason, text]);
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** A name in quotes, or anything up to the next comma. */
const NAME = /\s*(?:"((?:[^"]|"")*)"\s*|([^,]*))(,|$)/y;

/**
 * Names from a list parted by commas. A name that holds a comma, or begins or ends with a blank, stands in quotes as in a CSV file.
 *
 * @throws AppError `invalid_input` when a name is there twice.
 */
export function columnNamesIn(list: string): readonly string[] {
  const names: string[] = [];
  NAME.lastIndex = 0;
  for (let more = true; more;) {
    const [, quoted, plain = '', end] = NAME.exec(list) ?? [];
    names.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    more = end === ',';
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return names;
  throw invalidField('columns', `columns has "${twice}" twice`);
}
