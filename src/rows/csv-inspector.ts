import { type CsvDescription, CsvInspector } from '../ports/csv-inspector.js';

/** More than any file needs: the inspector reads a fixed amount. */
const DESCRIBE_MS = 15_000;

/** What of the row engine's process is needed here. */
export interface DescribingEngine {
  request(operation: 'describe', input: { readonly path: string }, timeoutMs: number): Promise<CsvDescription>;
}

/** Looks into CSV files in the row engine's process, so that nobody's bytes are parsed in that of the API. */
export class EngineCsvInspector extends CsvInspector {
  constructor(private readonly engine: DescribingEngine) {
    super();
  }

  override describe(path: string): Promise<CsvDescription> {
    return this.engine.request('describe', { path }, DESCRIBE_MS);
  }
}
