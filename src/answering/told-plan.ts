import { TIME_BUCKETS, type TimeBucket } from '../ports/analysis-plan.js';
import { joinedProfile } from '../plan/joined-profile.js';
import { RELATIVE_TIME } from '../plan/moving-times.js';
import { nextBucket } from '../plan/time-words.js';
import type { JoinedBriefing } from '../ports/chat-model.js';
import type { ColumnType, TableProfile } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import { isRecord } from '../shared/json.js';

type Told = Readonly<Record<string, unknown>>;

/** Parts of a time as a model is told of them, and as plans have them. */
export const TOLD_PARTS: Readonly<Record<string, string>> = {
  hour_of_day: 'hour',
  weekday: 'weekday',
  month_of_year: 'month',
};

const NEGATED: Readonly<Record<string, string>> = {
  '!=': '=',
  'not in': 'in',
  'not contains': 'contains',
  'is not null': 'is null',
  'no outlier': 'outlier',
};
const PLACES: Readonly<Record<string, string>> = { contains: 'anywhere', 'starts with': 'start', 'ends with': 'end' };
const ORDERED = ['<', '<=', '>', '>='];
export const FILTER_OPERATORS = [
  ...['=', 'in', ...ORDERED, 'between', 'starts with', 'ends with', 'contains', 'is null', 'outlier'],
  ...Object.keys(NEGATED),
];

/**
 * The plan that is meant by what a model wrote in the words that it is told, for the schema of plans to check. Parts that are in the words of
 * plans already stay as they are.
 *
 * @throws AppError `invalid_input` with a sentence for its writer.
 */
export function planOf(told: Told, profile: TableProfile | null, joined: readonly JoinedBriefing[] = []): Told {
  const { join, ...rest } = filled(told);
  if (typeof join !== 'string') return new ToldPlan(profile).plan({ ...rest, ...(join === undefined ? {} : { join }) });
  const other = joined.find(({ table, name }) => [table, name].some((one) => one.toLowerCase() === join.toLowerCase()));
  if (other === undefined) {
    const known = joined.map(({ table }) => table).join(', ');
    throw wrong(`join: ${known === '' ? 'this table can’t be joined' : `must be one of ${known}`}`);
  }
  const types = profile === null ? null : joinedProfile(profile, other);
  return new ToldPlan(types).plan({ ...rest, join: { relation: other.relation, table: other.table } });
}

class ToldPlan {
  private readonly types: ReadonlyMap<string, ColumnType>;

  constructor(profile: TableProfile | null) {
    this.types = new Map(profile?.columns.map(({ name, type }) => [name.toLowerCase(), type]));
  }

  plan({ group_by, filters, derived, statistic, ...rest }: Told): Told {
    const shared = {
      ...rest,
      ...(filters === undefined ? {} : { filters: this.filters(filters) }),
      ...(derived === undefined ? {} : { derived: listOf(derived).map((one) => this.derived(one)) }),
    };
    const groups = group_by === undefined ? [] : listOf(group_by);
    if (rest['kind'] === 'statistic' || statistic !== undefined) return statisticOf(statistic, groups, shared);
    const isAggregate = groups.length > 0 || 'measures' in rest || 'dimensions' in rest;
    const order = 'order' in rest ? { order: listOf(rest['order']).map(orderOf) } : {};
    if (rest['kind'] === 'rows' || !isAggregate) return { kind: 'rows', ...shared, ...order };
    return { kind: 'aggregate', ...shared, ...order, ...this.figures(rest, groups) };
  }

  /** What names figures by their labels names them by their places. */
  private figures(rest: Told, groups: readonly unknown[]): Told {
    const measures = listOf(rest['measures'] ?? []).map((measure) => this.measure(measure));
    const labels = measures.map(labelOf);
    const computed = listOf(rest['computed'] ?? []).map((one, at) => computedOf(one, `computed[${at}]`, labels));
    const all = [...labels, ...computed.map(labelOf)];
    const having = listOf(rest['having'] ?? []).map((one, at) =>
      isRecord(one) ? renamed(one, `having[${at}]`, all) : one,
    );
    return {
      measures,
      ...(groups.length === 0 ? {} : { dimensions: groups.map((group, at) => dimensionOf(group, at)) }),
      ...(computed.length === 0 ? {} : { computed }),
      ...(having.length === 0 ? {} : { having }),
      ...(isRecord(rest['summary'])
        ? { summary: { label: 'summary', measure: null, ...renamed(rest['summary'], 'summary', all) } }
        : {}),
    };
  }

  private measure(told: unknown): unknown {
    if (!isRecord(told)) return told;
    const { filters, column, ...rest } = filled(told);
    const of = column === '*' ? null : (column ?? null);
    const aggregate = spaced(rest['aggregate']);
    return {
      label: of === null ? aggregate : cut(`${aggregate} of ${plainText(of)}`),
      ...rest,
      column: of,
      ...(filters === undefined ? {} : { filters: this.filters(filters) }),
    };
  }

  private derived(told: unknown): unknown {
    return isRecord(told) ? { ...told, expression: this.expression(told['expression']) } : told;
  }

  private expression(told: unknown): unknown {
    if (typeof told === 'string') return { kind: 'column', column: told };
    if (typeof told === 'number') return { kind: 'number', value: told };
    if (!isRecord(told)) return told;
    const parts = ['left', 'right', 'of'].filter((name) => name in told);
    return {
      kind: 'left' in told ? 'arithmetic' : 'function',
      ...told,
      ...Object.fromEntries(parts.map((name) => [name, this.expression(told[name])])),
      ...('cases' in told ? { cases: listOf(told['cases']).map((one) => this.case(one)) } : {}),
    };
  }

  private case(told: unknown): unknown {
    if (!isRecord(told)) return told;
    return { ...told, filters: this.filters(told['filters']) };
  }

  private filters(told: unknown): readonly unknown[] {
    return listOf(told).map((filter, at) => this.filter(filter, `filters[${at}]`));
  }

  private filter(told: unknown, place: string): unknown {
    if (!isRecord(told)) return told;
    const { any, ...rest } = told['kind'] === 'any' ? { any: told['of'] } : told;
    if (isSaid(any)) {
      const lists = listOf(any).map((one) => listOf(one).map((filter) => this.filter(filter, place)));
      return { ...filled(rest), kind: 'any', of: lists };
    }
    if ('kind' in told) return told;
    const { operator: written = '=', other, aggregate, ...named } = filled({ ...rest, value: undefined });
    const operator = plainText(written).trim().toLowerCase();
    const { column, values: _several, ...more } = named;
    if (other !== undefined) return { kind: 'columns', left: column, operator, right: other, ...more };
    if (aggregate !== undefined) return { kind: 'against', column, operator, aggregate, reach: 'matching', ...more };
    const condition = this.condition(operator, plainText(column), valuesOf(told));
    if (condition !== null) return { ...condition, column, ...more };
    throw wrong(`${place}.operator: there is no "${operator.slice(0, 50)}"; there are ${FILTER_OPERATORS.join(', ')}`);
  }

  /** Without its column; null where there is no such operator. */
  private condition(operator: string, column: string, values: readonly unknown[]): Told | null {
    const positive = NEGATED[operator] ?? operator;
    const negated = positive !== operator;
    const isEquality = positive === '=' || positive === 'in';
    if (positive === 'is null' || (isEquality && values[0] === null)) return { kind: 'null', negated };
    const place = PLACES[positive];
    if (place !== undefined) return { kind: 'contains', text: plainText(values[0]), at: place, negated };
    if (positive === 'outlier')
      return { kind: 'outlier', method: 'iqr', threshold: numberOf(values[0] ?? 1.5), negated };
    return this.range(operator, column, values) ?? (isEquality ? { kind: 'in', values, negated } : null);
  }

  /** A condition on a number or a time; null where it is none. */
  private range(operator: string, column: string, values: readonly unknown[]): Told | null {
    const [low, high] = values;
    const type = this.types.get(column.toLowerCase());
    const isTime = type === undefined ? isTimeText(low) : type === 'time';
    if (isTime) return timeRange(operator, low, high);
    if (ORDERED.includes(operator)) return { kind: 'compare', operator, value: numberOf(low) };
    return operator === 'between' ? { kind: 'between', low: numberOf(low), high: numberOf(high) } : null;
  }
}

function statisticOf(method: unknown, groups: readonly unknown[], shared: Told): Told {
  const [by] = groups.map((group) => (isRecord(group) ? group['column'] : group));
  return {
    kind: 'statistic',
    ...(method === undefined ? {} : { method }),
    ...(by === undefined ? {} : { by }),
    ...shared,
  };
}

/** What is no time stays as it is, and the schema says so. */
function timeRange(operator: string, low: unknown, high: unknown): Told | null {
  const at = periodOf(low) ?? { from: low, to: low };
  switch (operator) {
    case '=':
      return fromTo(at.from, at.to);
    case '<':
      return fromTo(null, at.from);
    case '<=':
      return fromTo(null, at.to);
    case '>':
      return fromTo(at.to, null);
    case '>=':
      return fromTo(at.from, null);
    case 'between':
      return fromTo(at.from, periodOf(high)?.to ?? high);
    default:
      return null;
  }
}

function fromTo(from: unknown, to: unknown): Told {
  const [begins, ends] = [from, to].map((end) => (typeof end === 'string' && RELATIVE_TIME.test(end) ? end : null));
  if (begins == null && ends == null) return { kind: 'time', from, to };
  const moving = { from: begins, to: ends };
  return { kind: 'time', from: begins == null ? from : null, to: ends == null ? to : null, moving };
}

interface Period {
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
}

const TIME = /^(\d{4})(?:-(\d{2})(?:-(\d{2})([T ]\d.*)?)?)?$/;

/** A year alone is a number too. */
function isTimeText(value: unknown): boolean {
  return typeof value === 'string' && value.includes('-') && TIME.test(value.trim());
}

/** The year, month, day or moment that is written, also as it is seen from now. */
function periodOf(value: unknown): Period | null {
  const written = plainText(value).trim();
  // What is rounded down to a unit is that unit.
  if (RELATIVE_TIME.test(written)) return { from: written, to: written.replace(/\/(\w)$/, '/$1+1$1') };
  const [whole, year, month, day, clock] = TIME.exec(written) ?? [];
  if (whole === undefined) return null;
  if (clock !== undefined) {
    const zone = /(?:z|[+-]\d{2}:?\d{2})$/i.test(clock) ? '' : 'Z';
    const from = new Date(`${written.replace(' ', 'T')}${zone}`).getTime();
    return Number.isNaN(from) ? null : { from: written, to: new Date(from + 1).toISOString() };
  }
  const from = Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1));
  let bucket: TimeBucket = 'year';
  if (month !== undefined) bucket = day === undefined ? 'month' : 'day';
  return { from: dayText(from), to: dayText(nextBucket(from, bucket)) };
}

function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function dimensionOf(told: unknown, at: number): unknown {
  if (typeof told === 'string') return { kind: 'column', column: told, label: cut(told) };
  if (!isRecord(told) || 'kind' in told) return told;
  const { by, ...rest } = filled(told);
  const column = plainText(rest['column']);
  if (by === undefined) return { kind: 'column', label: cut(column), ...rest };
  const label = cut(`${spaced(by)} of ${column}`);
  const part = TOLD_PARTS[plainText(by)];
  if (part !== undefined) return { kind: 'part', part, label, ...rest };
  const buckets: readonly unknown[] = TIME_BUCKETS;
  if (buckets.includes(by)) return { kind: 'bucket', bucket: by, label, ...rest };
  const allowed = [...TIME_BUCKETS, ...Object.keys(TOLD_PARTS)].join(', ');
  throw wrong(
    `group_by[${at}].by: there is no "${plainText(by).slice(0, 50)}"; there are ${allowed}; a column goes without \`by\``,
  );
}

function computedOf(told: unknown, place: string, labels: readonly unknown[]): unknown {
  if (!isRecord(told) || !('of' in told)) return told;
  const { of, with: other, ...rest } = filled(told);
  const label = { label: spaced(rest['kind']), ...rest };
  const left = indexOf(of, `${place}.of`, labels);
  return other === undefined
    ? { ...label, of: left }
    : { ...label, left, right: indexOf(other, `${place}.with`, labels) };
}

function renamed(told: Told, place: string, labels: readonly unknown[]): Told {
  if (!('of' in told)) return told;
  const { of, ...rest } = filled(told);
  return { ...rest, measure: indexOf(of, `${place}.of`, labels) };
}

function indexOf(label: unknown, place: string, labels: readonly unknown[]): unknown {
  if (typeof label === 'number') return label;
  const index = labels.indexOf(label);
  if (index >= 0) return index;
  throw wrong(
    `${place}: there is no figure "${plainText(label).slice(0, 100)}"; there are ${labels.map((one) => JSON.stringify(one)).join(', ')}`,
  );
}

function orderOf(told: unknown): unknown {
  if (typeof told === 'string') return { by: told, direction: 'desc' };
  return isRecord(told) ? { direction: 'desc', ...filled(told) } : told;
}

function labelOf(figure: unknown): unknown {
  return isRecord(figure) ? figure['label'] : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** An empty text is a value, too. */
function valuesOf({ value, values }: Told): readonly unknown[] {
  if (Array.isArray(values) && values.length > 0) return values;
  return value === undefined ? [] : [value];
}

/** Some write everything that they are told of, with nothing in it. */
function filled(told: Told): Told {
  return Object.fromEntries(Object.entries(told).filter(([, value]) => isSaid(value)));
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function numberOf(value: unknown): unknown {
  return typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)) ? Number(value) : value;
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

function spaced(name: unknown): string {
  return plainText(name).replaceAll('_', ' ');
}

function cut(label: string): string {
  return label.slice(0, 80);
}

function wrong(problem: string): AppError {
  return new AppError('invalid_input', problem);
}
