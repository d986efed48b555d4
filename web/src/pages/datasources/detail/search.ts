import { DRAWS, FIGURES, GRAINS, type Draw, type Figure, type Grain } from './explore/figures.js';

export const TABS = [
  'summary',
  'rows',
  'explore',
  'insert',
  'append',
  'rejected',
  'meaning',
  'relations',
  'verified',
  'details',
] as const;
export type Tab = (typeof TABS)[number];

/** What of a datasource's page is in its address. Times are ISO 8601. */
export interface DatasourceSearch {
  readonly tab?: Tab;
  readonly asset?: string;
  readonly value?: string;
  readonly from?: string;
  readonly to?: string;
  readonly list?: RowList;
  /** Conditions that hold on the whole page. */
  readonly where?: readonly RowFilter[];
  /** How figures are explored; left out: every value of one column. */
  readonly draw?: Draw;
  readonly values?: readonly string[];
  readonly split?: string;
  readonly figure?: Figure;
  readonly grain?: Grain;
}

const MOST_VALUES = 4;

/** A condition on rows, as the plans of the service have it. */
export interface RowFilter {
  readonly kind: string;
  readonly column?: string;
  readonly [name: string]: unknown;
}

export interface RowOrder {
  readonly by: string;
  readonly direction: 'asc' | 'desc';
}

/** Which rows are listed, and how; what is left out is every row, every column, the order of the file. */
export interface RowList {
  readonly search?: string;
  readonly filters?: readonly RowFilter[];
  readonly order?: RowOrder;
  readonly columns?: readonly string[];
  /** Conditions of the page, which hold besides; no part of the address of a list. */
  readonly where?: readonly RowFilter[];
  /** The row whose values are shown, from 0. */
  readonly row?: number;
}

/** What makes sense of an address; the rest is left out. */
export function datasourceSearch(search: Readonly<Record<string, unknown>>): DatasourceSearch {
  const tab = TABS.find((one) => one === search.tab);
  return {
    ...(tab === undefined ? {} : { tab }),
    ...textOf(search, 'asset'),
    ...textOf(search, 'value'),
    ...timeOf(search, 'from'),
    ...timeOf(search, 'to'),
    ...(isObject(search.list) ? { list: rowList(search.list) } : {}),
    ...exploredOf(search),
  };
}

function exploredOf(search: Readonly<Record<string, unknown>>): DatasourceSearch {
  const where = Array.isArray(search.where) ? search.where.filter(isFilter) : [];
  const values = Array.isArray(search.values) ? search.values.filter((name) => typeof name === 'string') : [];
  return {
    ...(where.length > 0 ? { where } : {}),
    ...(values.length > 0 ? { values: values.slice(0, MOST_VALUES) } : {}),
    ...oneOf(search, 'draw', DRAWS),
    ...oneOf(search, 'figure', FIGURES),
    ...oneOf(search, 'grain', GRAINS),
    ...textOf(search, 'split'),
  };
}

function oneOf<Name extends string, Value extends string>(
  search: Readonly<Record<string, unknown>>,
  name: Name,
  known: readonly Value[],
): Partial<Record<Name, Value>> {
  const found = known.find((one) => one === search[name]);
  return found === undefined ? {} : ({ [name]: found } as Partial<Record<Name, Value>>);
}

/** A value that looks like a number or a truth has become one on its way through the address. */
function textOf<Name extends string>(
  search: Readonly<Record<string, unknown>>,
  name: Name,
): Partial<Record<Name, string>> {
  const given = search[name];
  const isSimple = typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean';
  return isSimple && given !== '' ? ({ [name]: String(given) } as Partial<Record<Name, string>>) : {};
}

function timeOf<Name extends string>(
  search: Readonly<Record<string, unknown>>,
  name: Name,
): Partial<Record<Name, string>> {
  const given = search[name];
  return typeof given === 'string' && !Number.isNaN(Date.parse(given))
    ? ({ [name]: given } as Partial<Record<Name, string>>)
    : {};
}

function rowList({ search, filters, order, columns, row }: Readonly<Record<string, unknown>>): RowList {
  const conditions = Array.isArray(filters) ? filters.filter(isFilter) : [];
  const names = Array.isArray(columns) ? columns.filter((name) => typeof name === 'string') : [];
  return {
    ...(typeof search === 'string' && search !== '' ? { search } : {}),
    ...(conditions.length > 0 ? { filters: conditions } : {}),
    ...(isOrder(order) ? { order: { by: order.by, direction: order.direction } } : {}),
    ...(names.length > 0 ? { columns: names } : {}),
    ...(typeof row === 'number' && Number.isSafeInteger(row) && row >= 0 ? { row } : {}),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFilter(value: unknown): value is RowFilter {
  return isObject(value) && typeof value.kind === 'string';
}

function isOrder(value: unknown): value is RowOrder {
  return isObject(value) && typeof value.by === 'string' && (value.direction === 'asc' || value.direction === 'desc');
}
