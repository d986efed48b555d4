import type { Cell, ResultColumn } from '../ports/table.js';

/** What a sandbox is asked: one statement over one datasource's rows. */
export interface SandboxRequest {
  readonly basePath: string;
  readonly deltaPath: string | null;
  /** Epoch milliseconds. */
  readonly visibleFrom: number | null;
  readonly statement: string;
  readonly maxRows: number;
  readonly timeoutMs: number;
  readonly output: SandboxOutput;
}

/** The first rows; rows after so many others, with the number of all; or all of them as CSV in `RESULT_FILE`. */
export type SandboxOutput =
  { readonly kind: 'first' } | { readonly kind: 'page'; readonly skip: number } | { readonly kind: 'csv' };

/** Name of a result in the process' own folder. */
export const RESULT_FILE = 'result.csv';

export interface SandboxRows {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Cell[])[];
  readonly truncated: boolean;
  readonly rowsScanned: number;
  /** Rows of the whole result; of a page alone. */
  readonly total?: number;
}

/** What a sandbox answers. After anything but `ready`, `rows`, `written` and `refused` it is thrown away. */
export type SandboxReply =
  /** Loaded; takes a request. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'rows'; readonly result: SandboxRows }
  /** The result is in the file. */
  | { readonly kind: 'written' }
  /** Not run, because the gate does not let it. */
  | { readonly kind: 'refused'; readonly message: string }
  /** Ran or was prepared, and is wrong. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'timed_out' }
  /** The rows could not be opened. */
  | { readonly kind: 'unavailable'; readonly message: string };
