import { describe, expect, it } from 'vitest';
import type { AnalysisPlan, Filter } from '../ports/analysis-plan.js';
import { listing } from '../ports/plans.fixture.js';
import type { TableProfile } from '../ports/table.js';
import { evidenceOf } from './finished-answer.js';
import { aSubject } from './tasks/tasks.fixture.js';
import { QueryLog } from './toolbox.js';

const PROFILE: TableProfile = {
  rowCount: 100,
  timeRange: { from: '2024-01-01T00:00:00.000Z', to: '2024-12-31T00:00:00.000Z' },
  columns: [],
  timeField: 'time',
  metaField: 'sensor',
  values: [],
};
const RESULT = { columns: [], rows: [[1], [2]], truncated: false, dbquery: 'SELECT 1', rowsScanned: 100 };

function evidenceFor(plan: AnalysisPlan | null) {
  const queries = new QueryLog();
  const { table } = aSubject();
  const asked = { result: RESULT, table, briefing: { name: '', context: '', profile: PROFILE } };
  queries.add({ purpose: 'before', plan: null, ...asked });
  queries.add({ purpose: 'why', plan, ...asked });
  return evidenceOf(queries);
}

function time(from: string | null, to: string | null): Filter {
  return { kind: 'time', column: 'time', from, to };
}

describe('evidenceOf', () => {
  it('is empty where no query ran', () => {
    expect(evidenceOf(new QueryLog())).toEqual({
      rowsScanned: 0,
      rowsReturned: 0,
      timeRange: null,
      filters: [],
      queries: 0,
    });
  });

  it("has the table's time where a query was written", () => {
    expect(evidenceFor(null)).toEqual({
      rowsScanned: 100,
      rowsReturned: 2,
      timeRange: PROFILE.timeRange,
      filters: [],
      queries: 2,
    });
  });

  it('has the time that plan and table share', () => {
    expect(evidenceFor(listing({ filters: [time('2023-06-01', '2024-02-01T00:00:00')] })).timeRange).toEqual({
      from: '2024-01-01T00:00:00.000Z',
      to: '2024-02-01T00:00:00',
    });
  });

  it('has no time where they share none', () => {
    expect(evidenceFor(listing({ filters: [time('2030-01-01', null)] })).timeRange).toBeNull();
  });
});
