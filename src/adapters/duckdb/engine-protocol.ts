import type { CsvDescription } from '../../ports/csv-inspector.js';
import type { MetadataQuery, MetadataValues, PlotQuery, PlotSeries } from '../../ports/row-reader.js';
import type { Cell, TableProfile } from '../../ports/table.js';
import type { TableColumn } from './plan-compiler.columns.js';
import type { PlanValue } from './plan-compiler.writers.js';
import type { WireError } from './process-error.js';

/** A table as the engine opens it. */
export interface EngineTable {
  readonly base: string;
  readonly delta: string;
  /** ISO 8601. */
  readonly visibleFrom: string | null;
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

/** Everything the engine does: what it is told, and what it answers. */
export interface EngineOperations {
  readonly ping: { readonly input: Readonly<Record<string, never>>; readonly output: true };
  readonly describe: { readonly input: { readonly path: string }; readonly output: CsvDescription };
  readonly columns: { readonly input: { readonly table: EngineTable }; readonly output: readonly TableColumn[] };
  readonly count: { readonly input: { readonly table: EngineTable }; readonly output: number };
  readonly append: {
    readonly input: { readonly table: EngineTable; readonly rows: readonly Readonly<Record<string, Cell>>[] };
    readonly output: number;
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
  /** Writes the later inserts to a file that another process can read; null when there are none. */
  readonly export: { readonly input: { readonly table: EngineTable }; readonly output: string | null };
  /** Closes the files, so that others can take their place. */
  readonly release: { readonly input: { readonly bases: readonly string[] }; readonly output: true };
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
  /** The engine interrupts its work after this time. */
  readonly timeoutMs: number;
}

export interface EngineStart {
  readonly lock: string;
  readonly dataDir: string;
  readonly memoryMb: number;
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
