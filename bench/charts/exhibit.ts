import type { ChartRequest } from '../../src/ports/chart-renderer.js';
import type { Cell, ColumnType, QueryResult } from '../../src/ports/table.js';

/** A chart of the gallery: the file it is written to, what it shows, and what it is drawn from. */
export interface Exhibit {
  readonly file: string;
  readonly heading: string;
  readonly text: string;
  readonly request: ChartRequest;
  readonly result: QueryResult;
}

type Columns = Readonly<Record<string, ColumnType | 'hour' | 'weekday'>>;
type Wanted = Pick<ChartRequest, 'kind' | 'x' | 'title'> & Partial<ChartRequest>;

/** The same figures at each run. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

export function exhibit(
  file: string,
  words: readonly [heading: string, text: string],
  wanted: Wanted,
  table: readonly [Columns, readonly (readonly Cell[])[]],
): Exhibit {
  const [columns, rows] = table;
  return {
    file,
    heading: words[0],
    text: words[1],
    request: { y: null, series: null, xTitle: null, yTitle: null, ...wanted },
    result: {
      columns: Object.entries(columns).map(([name, type]) =>
        type === 'hour' || type === 'weekday' ? { name, type: 'integer', part: type } : { name, type },
      ),
      rows,
      truncated: false,
      dbquery: '',
      rowsScanned: rows.length,
    },
  };
}

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);
export const MONTHS = Array.from({ length: 24 }, (_, month) => new Date(Date.UTC(2023, month, 1)).toISOString());
export const REGIONS = ['North', 'South', 'East', 'West'];

export function days(count: number, step = DAY): readonly string[] {
  return Array.from({ length: count }, (_, day) => new Date(START + day * step).toISOString());
}

export function wave(at: number, period: number): number {
  return Math.sin((at / period) * 2 * Math.PI);
}
