import { describe, expect, it } from 'vitest';
import type { AnalysisPlan } from '../ports/analysis-plan.js';
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

describe('evidenceOf', () => {
  it("is empty where no query ran, and has the table's time where one was written", () => {
    const nothing = { rowsScanned: 0, rowsReturned: 0, timeRange: null, filters: [], queries: 0 };
    expect(evidenceOf(new QueryLog())).toEqual(nothing);
    const { timeRange } = PROFILE;
    expect(evidenceFor(null)).toEqual({ rowsScanned: 100, rowsReturned: 2, timeRange, filters: [], queries: 2 });
  });

  it('has the time that plan and table share, if there is such', () => {
    const within = (from: string, to: string | null): unknown =>
      evidenceFor(listing({ filters: [{ kind: 'time', column: 'time', from, to }] })).timeRange;
    const shared = { from: '2024-01-01T00:00:00.000Z', to: '2024-02-01T00:00:00' };
    expect(within('2023-06-01', '2024-02-01T00:00:00')).toEqual(shared);
    expect(within('2030-01-01', null)).toBeNull();
  });
});
