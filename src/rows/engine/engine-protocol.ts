import type { CsvDescription, WrittenCsv } from '../../ports/csv-inspector.js';
import type { DecimalSign } from '../../shared/number-notation.js';
import type { MetadataQuery, MetadataValues, PlotQuery, PlotSeries } from '../../ports/row-reader.js';
import type { QueryResult, TableProfile } from '../../ports/table.js';
import type { PlanValue } from '../plans/query.js';
import type { WireError } from '../process-error.js';

export interface EngineTable {
  /** Companies take turns. */
  readonly companyId: string;
  /** Names the import, and with the files that are there now. */
  readonly load: string;
  readonly key: string;
  /** The base, and the part with later rows when there is one. */
  readonly files: readonly string[];
  /** The batches up to this number are in the files. */
  readonly through: number;
  /** The rows to be seen are those up to this batch. */
  readonly upTo: number;
  /** The last of them, as far as the engine is thought to lack them. */
  readonly batches: readonly WireBatch[];
  /** ISO 8601. */
  readonly visibleFrom: string | null;
}

/** Rows that were inserted together. */
export interface WireBatch {
  readonly number: number;
  readonly rows: number;
  /** Physical names of columns of whole numbers that hold other numbers from here on. */
  readonly wider: readonly string[];
  /** As `packedRows` writes them. */
  readonly data: string;
}

/** A plot query as JSON holds it: times are ISO 8601. */
export type WirePlot = Omit<PlotQuery, 'from' | 'to'> & { readonly from: string | null; readonly to: string | null };

/** Our own SQL over the relation `visible`; its parameters are `$1` to `$n`. */
interface SelectOrder {
  readonly sql: string;
  readonly params: readonly PlanValue[];
  readonly maxRows: number;
}

export type SelectedRows = Pick<QueryResult, 'rows' | 'truncated' | 'rowsScanned'>;

/** Files that hold a table's rows and stay as they are for at least a minute: long enough to open them. */
export interface TableSnapshot {
  readonly key: string;
  readonly base: string;
  /** All later rows, as Parquet; null when there are none. */
  readonly later: string | null;
  readonly laterRows: number;
  /** The last batch that they hold. */
  readonly upTo: number;
}

interface OfTable {
  readonly table: EngineTable;
}

/** Everything the engine does: what it is told, and what it answers. */
interface EngineOperations {
  readonly ping: [Readonly<Record<string, never>>, true];
  readonly describe: [
    {
      readonly path: string;
      readonly written?: WrittenCsv | undefined;
      readonly usualDecimal?: DecimalSign | undefined;
    },
    CsvDescription,
  ];
  /** Tells of batches, and asks nothing. */
  readonly add: [OfTable, true];
  readonly count: [OfTable, number];
  readonly plot: [OfTable & { readonly query: WirePlot }, PlotSeries];
  readonly profile: [OfTable, TableProfile];
  readonly metadata: [OfTable & { readonly query: MetadataQuery }, MetadataValues];
  readonly select: [OfTable & { readonly order: SelectOrder }, SelectedRows];
  /** Where another process can read the table as it is now. */
  readonly snapshot: [OfTable, TableSnapshot];
  /** Closes files: those of imports, and those with these paths. Who reads them goes on. */
  readonly release: [{ readonly loads: readonly string[]; readonly paths: readonly string[] }, true];
}

export type EngineOperation = keyof EngineOperations;
export type InputOf<O extends EngineOperation> = EngineOperations[O][0];
export type OutputOf<O extends EngineOperation> = EngineOperations[O][1];

export type EngineHandlers = {
  readonly [O in EngineOperation]: (input: InputOf<O>, timeoutMs: number) => Promise<OutputOf<O>>;
};

export interface EngineRequest<O extends EngineOperation = EngineOperation> {
  readonly id: number;
  readonly operation: O;
  readonly input: InputOf<O>;
  /** The engine lets it wait this long at most, and interrupts its work after as long. */
  readonly timeoutMs: number;
}

export interface EngineStart {
  readonly lock: string;
  readonly dataDir: string;
  /** Where later rows are written for other processes. */
  readonly laterFolder: string;
  /** Of the database. */
  readonly memoryMb: number;
  /** Of the whole process. */
  readonly processMb: number;
  /** Files that other processes may be about to open stay this long. */
  readonly keepMs: number;
}

export type EngineCommand =
  | { readonly kind: 'start'; readonly start: EngineStart }
  | { readonly kind: 'request'; readonly request: EngineRequest }
  | { readonly kind: 'stop' };

export type EngineMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly error: WireError }
  | { readonly kind: 'answer'; readonly id: number; readonly output: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly error: WireError }
  /** The engine has the table's batches up to this one, and needs those above. */
  | { readonly kind: 'lacks'; readonly id: number; readonly above: number };

/** The batches that came do not follow those that are here: those above a number are needed. */
export class LacksBatches extends Error {
  constructor(readonly above: number) {
    super(`the batches above ${above} are needed`);
  }
}
