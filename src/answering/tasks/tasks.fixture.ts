import type { AggregatePlan } from '../../ports/analysis-plan.js';
import { aColumn, figures } from '../../ports/plans.fixture.js';
import type { Cell, ColumnProfile, ColumnType, QueryResult } from '../../ports/table.js';
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
  return {
    datasourceId,
    name,
    context: '',
    table: { companyId: asId<CompanyId>('a'.repeat(24)), datasourceId, generation: 1, visibleFrom: null },
    profile: {
      rowCount: 100,
      timeRange: { from: '2024-01-01T00:00:00.000Z', to: '2024-06-29T00:00:00.000Z' },
      columns: [
        columnOf(meta, 'text', values),
        columnOf('time', 'time'),
        ...measures.map((measure) => columnOf(measure, 'number')),
      ],
      timeField: 'time',
      metaField: meta,
      values: measures,
    },
  };
}

function columnOf(name: string, type: ColumnType, values: readonly string[] = []): ColumnProfile {
  const isText = type === 'text';
  const topValues = values.map((value) => ({ value, count: 1 }));
  const [distinct, min, max] = isText ? [3, null, null] : [90, 1, 9];
  return aColumn(name, type, { distinct, min, max, topValues });
}

export function aResult(
  columns: readonly (readonly [string, ColumnType])[],
  rows: readonly (readonly Cell[])[],
): QueryResult {
  const named = columns.map(([name, type]) => ({ name, type }));
  return { columns: named, rows, truncated: false, dbquery: 'SELECT 1', rowsScanned: 100 };
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
  const columns = [
    ...groups.map(({ label, kind }) => [label, kind === 'bucket' ? 'time' : 'text'] as const),
    ['total revenue', 'number'] as const,
  ];
  return { subject: aSubject(), purpose: 'total revenue', plan, question: '', result: aResult(columns, rows), ...rest };
}

/** The only figure of a query. */
export function figureOf(query: AskedQuery): FoundFigure {
  const [figure] = figuresIn(query);
  if (figure === undefined) throw new Error('the query has no figure');
  return figure;
}
