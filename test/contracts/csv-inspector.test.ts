import { describe } from 'vitest';
import { EngineCsvInspector } from '../../src/rows/engine/engine-client.js';
import { describeCsv } from '../../src/rows/inspect/inspect-csv.js';
import { csvInspectorContract } from './csv-inspector.contract.js';

describe('the CSV inspector of the row engine', () => {
  csvInspectorContract(() => new EngineCsvInspector({ request: (_, { path }) => describeCsv(path) }));
});
