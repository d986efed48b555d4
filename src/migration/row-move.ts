import type { MovedRows, MovedTable } from '../adapters/mongo/rows/row-moves.js';
import type { RowFiles } from '../rows/row-files.js';
import { StoredRows } from '../rows/stored-rows.js';
import { DATASOURCES } from '../features/datasource/datasource.schema.js';
import type { Datasource } from '../features/datasource/datasource.types.js';
import { isAppError } from '../shared/app-error.js';
import type { DocumentSource, KindReport } from './document-move.js';

/** Where rows go. */
export interface RowTarget {
  hasRows(): Promise<boolean>;
  move(table: MovedTable, tell: (rows: number) => void): Promise<MovedRows>;
  forget(): Promise<void>;
}

/** Both ends of a move of rows. */
export interface RowEnds {
  readonly from: RowFiles;
  readonly to: RowTarget;
}

/** Moves the rows of every datasource that has some, one after the other; each is compared before it is there. */
export async function moveRows(
  documents: DocumentSource,
  { from, to }: RowEnds,
  tell: (progress: string) => void,
): Promise<readonly KindReport[]> {
  const reports: KindReport[] = [];
  for await (const document of documents.documentsOf(DATASOURCES)) {
    // Documents come as their schema says.
    const datasource = document as unknown as Datasource;
    if (datasource.generation === 0 || datasource.deletedAt !== null) continue;
    const name = `rows ${datasource.id}`;
    reports.push({
      name,
      ...(await movedRows(datasource, { from, to }, (rows) => {
        tell(`${name}: ${rows} stored`);
      })),
    });
  }
  return reports;
}

async function movedRows(
  { companyId, id, generation, config }: Datasource,
  { from, to }: RowEnds,
  tell: (rows: number) => void,
): Promise<MovedRows> {
  const ref = { companyId, datasourceId: id, generation, visibleFrom: null };
  try {
    using rows = await StoredRows.open(from.folder(companyId, id), generation);
    const lifespanSeconds = config.lifespan === 0 ? null : config.lifespan;
    return await to.move({ ref, rows, lifespanSeconds, rejects: from.rejects(ref) }, tell);
  } catch (error) {
    if (!isAppError(error, 'not_found')) throw error;
    return { count: 0, checksum: '', problems: ['the files of its rows are not in the source'] };
  }
}
