import type { CsvDescription } from '../ports/csv-inspector.js';
import type { MetadataQuery, MetadataValues, PlotQuery, PlotSeries } from '../ports/row-reader.js';
import type { Appended, Batch } from '../ports/row-engine.js';
import type { Cell, TableProfile } from '../ports/table.js';
import type { StoredFacts } from './attached-table.js';
import type { TableColumn } from '../plan/plan-columns.js';
import type { PlanValue } from './plan-compiler.writers.js';
import type { WireError } from './process-error.js';
import type { TableShape } from './table-shape.js';

/** A table as the engine opens it. */
export interface EngineTable {
  /** Companies take turns. */
  readonly companyId: string;
  /** Where its files lie. */
  readonly folder: string;
  readonly generation: number;
  /** ISO 8601. */
  readonly visibleFrom: string | null;
}

/** A batch as JSON holds it: its time is ISO 8601. */
export type WireBatch = Omit<Batch, 'at'> & { readonly at: string };

/** Rows as lists of cells under names that are said once: what a thousand of them take is on the way of every insertion. */
export interface WireRows {
  readonly names: readonly string[];
  /** Times are ISO 8601. */
  readonly cells: readonly (readonly Cell[])[];
}

/** What there is to compact. */
export interface CompactionGain {
  /** What the files take now. */
  readonly bytes: number;
}

/** Rows as they are to be compacted: nothing is added to them any more. */
export interface SealedTable {
  /** Names this seal: it is broken by the end of the engine and by whatever takes the rows' place. */
  readonly seal: string;
  readonly base: string;
  readonly hasBatches: boolean;
  /** The number of the last file of later inserts that belongs to it. */
  readonly through: number;
  /** Whether the later inserts were written to the folder given. */
  readonly hasLater: boolean;
  readonly shape: TableShape & StoredFacts;
}

/** A plot query as JSON holds it: times are ISO 8601. */
export type WirePlot = Omit<PlotQuery, 'from' | 'to'> & { readonly from: string | null; readonly to: string | null };

/** Our own SQL over the relation `visible`; its parameters are `$1` to `$n`. */
export interface SelectOrder {
  readonly sql: string;
  readonly params: readonly PlanValue[];
  readonly maxRows: number;
}

export interface SelectedRows {
  readonly rows: readonly (readonly Cell[])[];
  readonly truncated: boolean;
  readonly rowsScanned: number;
}

/** Files that hold a table's rows and stay as they are for at least a minute: long enough to open them. */
export interface TableSnapshot {
  readonly base: string;
  /** All later inserts, as Parquet; null when there are none. */
  readonly later: string | null;
}

/** Everything the engine does: what it is told, and what it answers. */
export interface EngineOperations {
  readonly ping: { readonly input: Readonly<Record<string, never>>; readonly output: true };
  readonly describe: { readonly input: { readonly path: string }; readonly output: CsvDescription };
  readonly columns: { readonly input: { readonly table: EngineTable }; readonly output: readonly TableColumn[] };
  readonly count: { readonly input: { readonly table: EngineTable }; readonly output: number };
  readonly append: {
    readonly input: {
      readonly table: EngineTable;
      readonly rows: WireRows;
      readonly batch: WireBatch | null;
    };
    readonly output: Appended;
  };
  readonly plot: {
    readonly input: { readonly table: EngineTable; readonly query: WirePlot };
    readonly output: PlotSeries;
  };
  readonly profile: { readonly input: { readonly table: EngineTable }; readonly output: TableProfile };
  readonly metadata: {
    readonly input: { readonly table: EngineTable; readonly query: MetadataQuery };
    readonly output: MetadataValues;
  };
  readonly select: {
    readonly input: { readonly table: EngineTable; readonly order: SelectOrder };
    readonly output: SelectedRows;
  };
  /** Where another process can read the table as it is now. */
  readonly snapshot: { readonly input: { readonly table: EngineTable }; readonly output: TableSnapshot };
  /** Null: a compaction would be worth less than it takes. */
  readonly gain: { readonly input: { readonly table: EngineTable }; readonly output: CompactionGain | null };
  /** Writes what was inserted later to a folder; what comes from now on is kept apart. */
  readonly seal: {
    readonly input: { readonly table: EngineTable; readonly folder: string };
    readonly output: SealedTable;
  };
  /** What was sealed is not compacted after all. */
  readonly unseal: { readonly input: { readonly table: EngineTable; readonly seal: string }; readonly output: true };
  /** Makes a finished file the base, in place of what was sealed. */
  readonly adopt: {
    readonly input: { readonly table: EngineTable; readonly seal: string; readonly file: string };
    readonly output: true;
  };
  /** Closes the files, so that others can take their place. */
  readonly release: {
    readonly input: { readonly tables: readonly Pick<EngineTable, 'folder' | 'generation'>[] };
    readonly output: true;
  };
}

export type EngineOperation = keyof EngineOperations;
export type InputOf<O extends EngineOperation> = EngineOperations[O]['input'];
export type OutputOf<O extends EngineOperation> = EngineOperations[O]['output'];

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
  /** Of the database. */
  readonly memoryMb: number;
  /** Of the whole process. */
  readonly processMb: number;
  readonly compaction: CompactionRules;
}

/** When later inserts are merged into the base, and how long what they replace stays. */
export interface CompactionRules {
  /** Fewer later rows than this are left alone, however small the base is. */
  readonly afterRows: number;
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
  | { readonly kind: 'failure'; readonly id: number; readonly error: WireError };
