import { figure, rowTime } from '../../../../shared/format.js';
import type { RowFilter } from '../search.js';

/** A condition as people say it. */
export function wordsOf(filter: RowFilter): string {
  const { kind, column = '' } = filter;
  switch (kind) {
    case 'in':
      return `${column} is ${filter.negated === true ? 'not ' : ''}${listOf(filter.values)}`;
    case 'contains':
      return `${column} ${placeWords(filter)} “${String(filter.text)}”`;
    case 'compare':
      return `${column} ${operatorWords(filter.operator)} ${shown(filter.value)}`;
    case 'between':
      return `${column} is between ${shown(filter.low)} and ${shown(filter.high)}`;
    case 'time':
      return timeWords(column, filter);
    case 'null':
      return `${column} ${filter.negated === true ? 'has a value' : 'has no value'}`;
    case 'columns':
      return `${String(filter.left)} ${operatorWords(filter.operator)} ${String(filter.right)}`;
    case 'against':
      return `${column} ${operatorWords(filter.operator)} the ${String(filter.aggregate)} of ${typeof filter.of === 'string' ? filter.of : column}`;
    case 'outlier':
      return `${column} is ${filter.negated === true ? 'not ' : ''}an outlier`;
    case 'any':
      return alternatives(filter.of);
    default:
      return kind;
  }
}

function listOf(values: unknown): string {
  return Array.isArray(values) ? values.map(shown).join(' or ') : '';
}

function shown(value: unknown): string {
  return typeof value === 'number' ? figure(value) : String(value);
}

const PLACES: Readonly<Record<string, readonly [string, string]>> = {
  anywhere: ['contains', 'does not contain'],
  start: ['begins with', 'does not begin with'],
  end: ['ends with', 'does not end with'],
};

function placeWords({ at, negated }: RowFilter): string {
  const [is, isNot] = PLACES[typeof at === 'string' ? at : 'anywhere'] ?? ['contains', 'does not contain'];
  return negated === true ? isNot : is;
}

const OPERATORS: Readonly<Record<string, string>> = {
  '<': 'is below',
  '<=': 'is at most',
  '>': 'is above',
  '>=': 'is at least',
  '=': 'is',
  '!=': 'is not',
};

function operatorWords(operator: unknown): string {
  return OPERATORS[String(operator)] ?? String(operator);
}

/** Until is exclusive. */
function timeWords(column: string, { from, to }: RowFilter): string {
  const since = typeof from === 'string' ? ` from ${timeShown(from)}` : '';
  return `${column}${since}${typeof to === 'string' ? ` until ${timeShown(to)}` : ''}`;
}

function timeShown(text: string): string {
  const time = Date.parse(/Z|[+-]\d\d:?\d\d$/.test(text) || text.length <= 10 ? text : `${text}Z`);
  return Number.isNaN(time) ? text : rowTime(new Date(time).toISOString());
}

function alternatives(of: unknown): string {
  if (!Array.isArray(of)) return 'any';
  return of
    .map((all) => (Array.isArray(all) ? all.map((one) => wordsOf(one as RowFilter)).join(' and ') : ''))
    .join(' or ');
}

/** What the menu of a column writes; the conditions of answers may be others. */
export const SIMPLE: ReadonlySet<string> = new Set(['in', 'contains', 'compare', 'between', 'time', 'null']);

/** The conditions with another one on a column, or none. */
export function withCondition(
  filters: readonly RowFilter[],
  column: string,
  next: RowFilter | null,
): readonly RowFilter[] {
  const others = filters.filter((filter) => filter.column !== column || !SIMPLE.has(filter.kind));
  return next === null ? others : [...others, next];
}
