import { describe } from 'vitest';
import { EngineCsvInspector } from '../../src/adapters/duckdb/csv-inspector.js';
import { describeCsv } from '../../src/adapters/duckdb/inspect-csv.js';
import { csvInspectorContract } from './csv-inspector.contract.js';

describe('the CSV inspector of the row engine', () => {
  csvInspectorContract(() => new EngineCsvInspector({ request: (_, { path }) => describeCsv(path) }));
});
