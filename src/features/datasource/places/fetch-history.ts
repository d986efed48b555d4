import type { LoadReport } from '../../../ports/row-engine.js';
import { NO_LEASE } from '../../../queue/lease-keeper.js';
import type { Datasource, FetchOutcome, KnownVersion } from '../datasource.types.js';

const KEPT = 10;

/** The names of the columns in the files of a datasource. */
export function columnsOf({ sources }: Pick<Datasource, 'sources'>): readonly string[] {
  return [...new Set(sources.flatMap(({ columns }) => columns))];
}

/** What is stored when the rows that were fetched are there. */
export function fetchDone(datasource: Datasource, report: LoadReport, finishedAt: Date): Partial<Datasource> {
  const { place, refetch } = datasource;
  if (place === null) return {};
  const columns = columnsOf(datasource);
  const before = refetch?.before.columns ?? [];
  const isFirst = refetch === null;
  const outcome: FetchOutcome = {
    finishedAt,
    status: 'done',
    error: null,
    rowsBefore: refetch?.before.docCount ?? 0,
    rowsAfter: report.rows,
    rejected: report.rejected,
    columnsAdded: isFirst ? [] : columns.filter((name) => !before.includes(name)),
    columnsGone: before.filter((name) => !columns.includes(name)),
  };
  const fetched = isFirst ? {} : { placeVersion: refetch.version ?? null };
  return { refetch: null, fetches: withOutcome(datasource, outcome), ...fetched };
}

/** What is stored when an import or a fetch came to no good end, or found nothing new: what there was stays. */
export function workEnded(
  datasource: Datasource,
  { status, error, finishedAt }: Pick<FetchOutcome, 'status' | 'error' | 'finishedAt'>,
): Partial<Datasource> {
  const { place, docCount } = datasource;
  const end = { append: null, updating: false, ...NO_LEASE, updatedAt: finishedAt };
  if (place === null) return end;
  const same = { rowsBefore: docCount, rowsAfter: docCount, rejected: 0, columnsAdded: [], columnsGone: [] };
  return { ...end, refetch: null, fetches: withOutcome(datasource, { finishedAt, status, error, ...same }) };
}

/** Of the file that its rows are from; null: nobody knows it, or there are none. */
export function versionOf({ generation, place, placeVersion }: Datasource): KnownVersion {
  return generation === 0 ? null : ((placeVersion === undefined ? place?.version : placeVersion) ?? null);
}

function withOutcome({ fetches }: Datasource, outcome: FetchOutcome): readonly FetchOutcome[] {
  return [outcome, ...fetches].slice(0, KEPT);
}
