import type { AggregatePlan } from '../../ports/analysis-plan.js';
import { aColumn, aTextColumn, figures, result } from '../../ports/plans.fixture.js';
import type { Cell, ColumnType, QueryResult } from '../../ports/table.js';
import { asId, type CompanyId, type DatasourceId } from '../../shared/ids.js';
import { figuresIn } from './figures.js';
import type { AskedQuery, FoundFigure } from './findings.js';
import type { TaskSubject } from './task-assignment.js';

let subjects = 0;

/** A datasource with columns of these names: the first two of text and time, the others of numbers. */
export function aSubject(
  parts: { readonly name?: string; readonly columns?: readonly string[]; readonly values?: readonly string[] } = {},
): TaskSubject {
  const { name = 'Sales', columns = ['shop', 'revenue'], values = ['Harbour'] } = parts;
  const datasourceId = asId<DatasourceId>((++subjects).toString(16).padStart(24, '0'));
  const [meta = 'shop', ...measures] = columns;
  const ranged = { distinct: 90, min: 1, max: 9 };
  return {
    ...{ datasourceId, name, context: '' },
    table: { companyId: asId<CompanyId>('a'.repeat(24)), datasourceId, generation: 1, visibleFrom: null },
    profile: {
      ...{ rowCount: 100, timeField: 'time', metaField: meta, values: measures },
      timeRange: { from: '2024-01-01T00:00:00.000Z', to: '2024-06-29T00:00:00.000Z' },
      columns: [
        { ...aTextColumn(meta, ...values), distinct: 3 },
        aColumn('time', 'time', ranged),
        ...measures.map((measure) => aColumn(measure, 'number', ranged)),
      ],
    },
  };
}

export function aResult(
  columns: readonly (readonly [string, ColumnType])[],
  rows: readonly (readonly Cell[])[],
): QueryResult {
  return result(Object.fromEntries(columns), rows);
}

/** The total revenue, grouped and filtered as the test says. */
export function aPlan(parts: Partial<AggregatePlan> = {}): AggregatePlan {
  return figures({ measures: [{ aggregate: 'sum', column: 'revenue', label: 'total revenue' }], ...parts });
}

/** A query of the total revenue with its result: one row, or a row for each group. */
export function anAsked(
  parts: Partial<AskedQuery> & { readonly rows?: readonly (readonly Cell[])[] } = {},
): AskedQuery {
  const { rows = [[100]], plan = aPlan(), ...rest } = parts;
  const groups = plan?.kind === 'aggregate' ? plan.dimensions : [];
  const types = groups.map(({ label, kind }) => [label, kind === 'bucket' ? 'time' : 'text'] as const);
  const found = aResult([...types, ['total revenue', 'number']], rows);
  return { subject: aSubject(), purpose: 'total revenue', plan, question: '', result: found, ...rest };
}

/** The only figure of a query. */
export function figureOf(query: AskedQuery): FoundFigure {
  const [figure] = figuresIn(query);
  if (figure === undefined) throw new Error('the query has no figure');
  return figure;
}
