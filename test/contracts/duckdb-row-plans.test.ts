import { openDuckDb } from './duckdb-store.fixture.js';
import { rowPlansContract } from './row-plans.contract.js';

rowPlansContract('DuckDB', openDuckDb);
