import type { Comparison, Filter } from '../../ports/analysis-plan.js';
import { nameOfFigure } from './figure-names.js';
import { rangeWords } from './moments.js';

/** More values than these are counted, not named. */
const SHOWN_VALUES = 12;

export const SIGNS: Readonly<Record<Comparison, string>> = {
  '<': 'below',
  '<=': 'at most',
  '>': 'above',
  '>=': 'at least',
  '=': 'equal to',
  '!=': 'other than',
};

const PLACES = {
  anywhere: ['contains', 'contain'],
  start: ['starts with', 'start with'],
  end: ['ends with', 'end with'],
};

type Of<Kind extends Filter['kind']> = Extract<Filter, { kind: Kind }>;

/** A condition in words: `location is Seattle`, `fare is above the average fare`. */
export function filterWords(filter: Filter): string {
  switch (filter.kind) {
    case 'in':
      return `${filter.column} is ${filter.negated ? 'not ' : ''}${listed(filter.values)}`;
    case 'compare':
      return `${filter.column} is ${SIGNS[filter.operator]} ${filter.value}`;
    case 'between':
      return `${filter.column} is between ${filter.low} and ${filter.high}`;
    case 'time':
      return `${filter.column} is ${rangeWords(filter.from, filter.to)}`;
    case 'contains':
      return containsWords(filter);
    case 'null':
      return `${filter.column} is ${filter.negated ? 'present' : 'missing'}`;
    case 'columns':
      return `${filter.left} is ${SIGNS[filter.operator]} ${filter.right}`;
    case 'against':
      return againstWords(filter);
    case 'outlier':
      return `${filter.column} is ${filter.negated ? 'no' : 'an'} outlier (${outlierWords(filter)})`;
    case 'any':
      return `either ${filter.of.map(allWords).join(' or ')}`;
  }
}

/** What makes a value an outlier. */
export function outlierWords({ method, threshold, population }: Of<'outlier'>): string {
  return method === 'iqr'
    ? `further than ${threshold} times the interquartile range from the quartiles`
    : `further than ${threshold} ${population ? 'population ' : ''}standard deviations from the mean`;
}

function listed(values: readonly (string | number | boolean)[]): string {
  const shown = values.slice(0, SHOWN_VALUES).map((value) => (value === '' ? 'empty' : String(value)));
  const rest = values.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} or one of ${rest} more` : shown.join(' or ');
}

function containsWords({ column, text, negated, at = 'anywhere' }: Of<'contains'>): string {
  const [does, plain] = PLACES[at];
  return `${column} ${negated ? `does not ${plain}` : does} “${text}”`;
}

/** The highest of a column is said so; of everything else it is said what it is set against. */
function againstWords(filter: Of<'against'>): string {
  const { column, operator, reach, factor, aggregate, of = column, parameter } = filter;
  const where = reach === 'all' ? ' of all rows' : '';
  if (isExtreme(filter)) return `${column} is the ${aggregate === 'max' ? 'highest' : 'lowest'}${where}`;
  const times = factor === undefined ? '' : `${factor} times `;
  return `${column} is ${SIGNS[operator]} ${times}the ${nameOfFigure({ aggregate, column: of, parameter })}${where}`;
}

function isExtreme({ column, operator, aggregate, of = column, factor = 1 }: Of<'against'>): boolean {
  return operator === '=' && of === column && factor === 1 && (aggregate === 'max' || aggregate === 'min');
}

function allWords(all: readonly Filter[]): string {
  const words = all.map(filterWords).join(' and ');
  return all.length > 1 ? `(${words})` : words;
}
