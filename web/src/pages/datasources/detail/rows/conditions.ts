import { figure, rowTime } from '../../../../shared/format.js';
import { LOCALE } from '../../../../shared/language.js';
import type { RowFilter } from '../search.js';
import { t } from '@lingui/core/macro';

/** A condition as people say it. */
export function wordsOf(filter: RowFilter): string {
  const { kind, column = '', negated } = filter;
  switch (kind) {
    case 'in':
      return comparison(column, negated === true ? '!=' : '=', listOf(filter.values));
    case 'contains':
      return placeWords(filter, column, String(filter.text));
    case 'compare':
      return comparison(column, filter.operator, shown(filter.value));
    case 'between':
      return t`${column} is between ${shown(filter.low)} and ${shown(filter.high)}`;
    case 'time':
      return timeWords(column, filter);
    case 'null':
      return negated === true ? t`${column} has a value` : t`${column} has no value`;
    case 'columns':
      return comparison(String(filter.left), filter.operator, String(filter.right));
    case 'against':
      return comparison(
        column,
        filter.operator,
        `${String(filter.aggregate)}(${typeof filter.of === 'string' ? filter.of : column})`,
      );
    case 'outlier':
      return negated === true ? t`${column} is not an outlier` : t`${column} is an outlier`;
    case 'any':
      return alternatives(filter.of);
    default:
      return kind;
  }
}

function listOf(values: unknown): string {
  return Array.isArray(values) ? EITHER.format(values.map(shown)) : '';
}

const EITHER = new Intl.ListFormat(LOCALE, { type: 'disjunction' });
const ALL = new Intl.ListFormat(LOCALE);

function shown(value: unknown): string {
  return typeof value === 'number' ? figure(value) : String(value);
}

function placeWords({ at, negated }: RowFilter, column: string, text: string): string {
  const isNot = negated === true;
  if (at === 'start') return isNot ? t`${column} does not begin with “${text}”` : t`${column} begins with “${text}”`;
  if (at === 'end') return isNot ? t`${column} does not end with “${text}”` : t`${column} ends with “${text}”`;
  return isNot ? t`${column} does not contain “${text}”` : t`${column} contains “${text}”`;
}

function comparison(column: string, operator: unknown, value: string): string {
  switch (operator) {
    case '<':
      return t`${column} is below ${value}`;
    case '<=':
      return t`${column} is at most ${value}`;
    case '>':
      return t`${column} is above ${value}`;
    case '>=':
      return t`${column} is at least ${value}`;
    case '!=':
      return t`${column} is not ${value}`;
    default:
      return t`${column} is ${value}`;
  }
}

/** Until is exclusive. */
function timeWords(column: string, { from, to }: RowFilter): string {
  const since = typeof from === 'string' ? timeShown(from) : '';
  const until = typeof to === 'string' ? timeShown(to) : '';
  if (since === '') return t`${column} until ${until}`;
  return until === '' ? t`${column} from ${since}` : t`${column} from ${since} until ${until}`;
}

function timeShown(text: string): string {
  const time = Date.parse(/Z|[+-]\d\d:?\d\d$/.test(text) || text.length <= 10 ? text : `${text}Z`);
  return Number.isNaN(time) ? text : rowTime(new Date(time).toISOString());
}

function alternatives(of: unknown): string {
  if (!Array.isArray(of)) return '';
  const ways = of.map((all) => (Array.isArray(all) ? ALL.format(all.map((one) => wordsOf(one as RowFilter))) : ''));
  return EITHER.format(ways);
}

/** What the menu of a column writes; the conditions of answers may be others. */
const SIMPLE: ReadonlySet<string> = new Set(['in', 'contains', 'compare', 'between', 'time', 'null']);

/** The conditions with another one on a column, or none. */
export function withCondition(
  filters: readonly RowFilter[],
  column: string,
  next: RowFilter | null,
): readonly RowFilter[] {
  const others = filters.filter((filter) => filter.column !== column || !SIMPLE.has(filter.kind));
  return next === null ? others : [...others, next];
}
