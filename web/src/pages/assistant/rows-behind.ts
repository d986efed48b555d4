import type { RowFilter, RowList } from '../datasources/detail/search.js';
import type { Answer } from './assistant.queries.js';

type Cell = string | number | boolean | null;

interface Dimension {
  readonly kind: string;
  readonly column: string;
  readonly label: string;
  readonly bucket?: string;
}

interface Plan {
  readonly kind: string;
  /** Rows of several datasources are in no list. */
  readonly join?: object;
  readonly filters: readonly RowFilter[];
  readonly derived?: readonly { readonly name: string }[];
  readonly dimensions?: readonly Dimension[];
  readonly measures?: readonly { readonly label: string; readonly filters?: readonly RowFilter[] }[];
  readonly order?: readonly { readonly by: string; readonly direction: 'asc' | 'desc' }[];
  readonly summary?: object;
}

/** The rows that an answer looked at; null where no list can show them. */
export function rowsBehind({ understood }: Answer): RowList | null {
  const plan = planOf(understood);
  if (plan === null || plan.filters.some((filter) => isOfDerived(filter, plan))) return null;
  const [order] = plan.kind === 'rows' ? (plan.order ?? []) : [];
  return { filters: plan.filters, ...(order === undefined ? {} : { order }) };
}

/** The rows behind one figure of a result. */
export type Behind = (row: readonly Cell[], column: number) => RowList | null;

/** Null where figures are not those of groups of rows. */
export function behindFigures({ understood, data }: Answer): Behind | null {
  const plan = planOf(understood);
  if (plan?.kind !== 'aggregate' || plan.summary !== undefined || data === null) return null;
  const { dimensions = [], measures = [], filters } = plan;
  return (row, column) => {
    const measure = measures.find(({ label }) => label === data.columns[column]);
    if (measure === undefined) return null;
    const groups = dimensions.map((dimension) => groupOf(dimension, row[data.columns.indexOf(dimension.label)]));
    const all = [...filters, ...(measure.filters ?? []), ...groups];
    const known = all.filter((filter) => filter !== null);
    return known.length < all.length || known.some((filter) => isOfDerived(filter, plan)) ? null : { filters: known };
  };
}

function planOf(understood: Answer['understood']): Plan | null {
  const plan = understood === null ? null : (understood.plan as unknown as Plan);
  return plan?.join === undefined ? plan : null;
}

/** A derived column is the plan's own. */
function isOfDerived(filter: RowFilter, { derived = [] }: Plan): boolean {
  const said = JSON.stringify(filter);
  return derived.some(({ name }) => said.includes(JSON.stringify(name)));
}

function groupOf({ kind, column, bucket }: Dimension, value: Cell | undefined): RowFilter | null {
  if (value === undefined) return null;
  if (value === null) return { kind: 'null', column, negated: false };
  if (kind === 'column' && typeof value === 'string' && ISO.test(value)) return timeFrom(column, value, 'moment');
  if (kind === 'column') return { kind: 'in', column, values: [value], negated: false };
  // Hours of the day and days of the week are no stretches of time.
  return kind === 'bucket' && typeof value === 'string' ? timeFrom(column, value, bucket ?? '') : null;
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

function timeFrom(column: string, from: string, bucket: string): RowFilter | null {
  const end = new Date(from);
  const step = STEPS[bucket];
  if (step === undefined || Number.isNaN(end.getTime())) return null;
  step(end);
  return { kind: 'time', column, from: new Date(from).toISOString(), to: end.toISOString() };
}

const STEPS: Readonly<Record<string, (date: Date) => void>> = {
  moment: (date) => date.setUTCMilliseconds(date.getUTCMilliseconds() + 1),
  minute: (date) => date.setUTCMinutes(date.getUTCMinutes() + 1),
  hour: (date) => date.setUTCHours(date.getUTCHours() + 1),
  day: (date) => date.setUTCDate(date.getUTCDate() + 1),
  week: (date) => date.setUTCDate(date.getUTCDate() + 7),
  month: (date) => date.setUTCMonth(date.getUTCMonth() + 1),
  quarter: (date) => date.setUTCMonth(date.getUTCMonth() + 3),
  year: (date) => date.setUTCFullYear(date.getUTCFullYear() + 1),
};
