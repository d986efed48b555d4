import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../../app/client.js';
import { keys } from '../../../shared/keys.js';
import type { ColumnSummary, Wire } from '../../../shared/wire.js';
import type { RowFilter } from './search.js';

type Summary = Wire['SummaryView'];
type Page = Wire['QueryResponse'];

/** Figures of one question, and columns of texts whose values are counted anew. */
const MOST_MEASURES = 18;
const MOST_COUNTED = 12;
const TOP = 20;
const ENDS = ['min', 'avg', 'max'] as const;

/** The summary of the rows that fit some conditions; without histograms. */
export function filteredQuery(id: string, summary: Summary, where: readonly RowFilter[]) {
  return queryOptions({
    queryKey: keys.filtered(id, where),
    queryFn: async ({ signal }): Promise<Summary> => {
      const asked = (plan: object): Promise<Page> =>
        call(
          api.POST('/api/v1/secure/data/query', {
            body: { datasource_id: id, plan: { ...EMPTY, ...plan, filters: [...where] } },
            signal,
          }),
        );
      const [rows, figures, counted] = await Promise.all([
        asked({ measures: [COUNT] }),
        figuresOf(summary.columns, asked),
        valuesOf(summary.columns, asked),
      ]);
      const columns = summary.columns.map((column) => ({
        ...column,
        ...figures.get(column.name),
        ...counted.get(column.name),
      }));
      return { ...summary, row_count: Number(rows.rows[0]?.[0] ?? 0), columns };
    },
    staleTime: 60_000,
  });
}

const EMPTY = { kind: 'aggregate', measures: [], dimensions: [], having: [], order: [], limit: null };
const COUNT = { aggregate: 'count', column: null, label: 'rows' };

type Asking = (plan: object) => Promise<Page>;
type Changes = ReadonlyMap<string, Partial<ColumnSummary>>;

async function figuresOf(columns: readonly ColumnSummary[], asked: Asking): Promise<Changes> {
  const numbers = columns.filter(({ type }) => type === 'number' || type === 'integer').map(({ name }) => name);
  const each = MOST_MEASURES / ENDS.length;
  const parts = Array.from({ length: Math.ceil(numbers.length / each) }, (_, at) =>
    numbers.slice(at * each, (at + 1) * each),
  );
  const found = await Promise.all(
    parts.map(async (names) => {
      const measures = names.flatMap((column, at) =>
        ENDS.map((aggregate) => ({ aggregate, column, label: `${String(at)} ${aggregate}` })),
      );
      const row = (await asked({ measures })).rows[0] ?? [];
      return names.map((name, at) => {
        const [min = null, mean = null, max = null] = row.slice(at * ENDS.length);
        const figures: Partial<ColumnSummary> = {
          ...{ min, max, histogram: [] },
          mean: typeof mean === 'number' ? mean : null,
        };
        return [name, figures] as const;
      });
    }),
  );
  return new Map(found.flat());
}

async function valuesOf(columns: readonly ColumnSummary[], asked: Asking): Promise<Changes> {
  const texts = columns.filter(
    ({ type, top_values: top }) => (type === 'text' || type === 'boolean') && top.length > 0,
  );
  const found = await Promise.all(
    texts.slice(0, MOST_COUNTED).map(async ({ name }) => {
      const dimensions = [{ kind: 'column', column: name, label: 'value' }];
      const order = [{ by: COUNT.label, direction: 'desc' }];
      const { rows } = await asked({ measures: [COUNT], dimensions, order, limit: TOP });
      const top = rows.flatMap(([value, count]) =>
        value === null || value === undefined ? [] : [{ value: String(value), count: Number(count) }],
      );
      const values: Partial<ColumnSummary> = { top_values: top };
      return [name, values] as const;
    }),
  );
  return new Map(found);
}
