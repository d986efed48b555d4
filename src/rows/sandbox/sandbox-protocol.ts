import type { FileFormat } from '../../ports/row-downloads.js';
import type { QueryResult, TableRelation } from '../../ports/table.js';
import { cut } from '../../shared/tame.js';

/** A table that statements can read, in files. */
export interface SandboxTable {
  readonly name: string;
  readonly basePath: string;
  readonly deltaPath: string | null;
  /** ISO 8601. */
  readonly visibleFrom: string | null;
}

/** What a sandbox is asked: one statement over a datasource's rows, the first table, and those of others that it may be joined with. */
export interface SandboxRequest {
  readonly tables: readonly SandboxTable[];
  readonly relations: readonly TableRelation[];
  readonly statement: string;
  readonly maxRows: number;
  readonly timeoutMs: number;
  readonly output: SandboxOutput;
}

/** The first rows; rows after so many others, with the number of all; or all of them in `RESULT_FILE`. */
export type SandboxOutput =
  | { readonly kind: 'first' }
  | { readonly kind: 'page'; readonly skip: number }
  | { readonly kind: 'file'; readonly format: FileFormat };

/** Name of a result in the process' own folder. */
export const RESULT_FILE = 'result';

export interface SandboxRows extends Omit<QueryResult, 'dbquery'> {
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
  /** Not run, because the gate does not let it or the engine does not understand it. */
  | { readonly kind: 'refused'; readonly message: string }
  /** Ran, and is wrong. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'timed_out' }
  /** The rows could not be opened. */
  | { readonly kind: 'unavailable'; readonly message: string };

export const OUT_OF_MEMORY = 'the query needs more memory than a query may use';
const LONGEST = 600;

/** A path of two parts or more, where a text or a quoted name begins. */
const PATH = /(^|[\s"'(=])(?:[A-Za-z]:)?[\\/](?:[^\s"'()\\/]+[\\/])+[^\s"'()]*/g;

/**
 * What may be told of the engine's complaint about a statement: no path, no name that only the service uses, no copy of the statement.
 *
 * @param internal names and paths that must not be seen
 */
export function tellable(message: string, internal: readonly string[]): string {
  if (/out of memory|bad_alloc|failed to allocate/i.test(message)) return OUT_OF_MEMORY;
  const [said = ''] = message.split(/\n\s*LINE \d+:/);
  const clean = internal
    .reduce((text, name) => text.replaceAll(`${name}.main.`, '').replaceAll(`${name}.`, '').replaceAll(name, '…'), said)
    .replace(/\b(?:memory|temp|system)\.main\./g, '')
    .replace(PATH, '$1…')
    .trim();
  return cut(clean, LONGEST);
}
