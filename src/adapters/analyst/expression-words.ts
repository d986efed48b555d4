import type { DerivedColumn, Expression } from '../../ports/analysis-plan.js';
import type { MomentPart, NumberFunction } from '../../ports/plan-expression.js';
import { filterWords } from './condition-words.js';

const FUNCTIONS: Readonly<Record<NumberFunction, (of: string) => string>> = {
  abs: (of) => `absolute value of ${of}`,
  log: (of) => `natural logarithm of ${of}`,
  log2: (of) => `logarithm to the base 2 of ${of}`,
  log10: (of) => `logarithm to the base 10 of ${of}`,
  log1p: (of) => `natural logarithm of 1 + ${of}`,
  exp: (of) => `e to the power of ${of}`,
  sqrt: (of) => `square root of ${of}`,
  square: (of) => `square of ${of}`,
  round: (of) => `${of} rounded`,
  floor: (of) => `${of} rounded down`,
  ceil: (of) => `${of} rounded up`,
};

const PARTS: Readonly<Record<MomentPart, string>> = {
  year: 'year',
  quarter: 'quarter',
  month: 'month',
  week: 'week',
  day: 'day of the month',
  weekday: 'weekday',
  hour: 'hour',
  minute: 'minute',
};

/** More cases and edges than these make no sentence. */
const SHOWN = 8;

type Of<Kind extends Expression['kind']> = Extract<Expression, { kind: Kind }>;

/** What a derived column holds: `family size is SibSp + Parch`; `null` where its name says it already. */
export function derivedWords({ name, expression }: DerivedColumn): string | null {
  const words = expressionWords(expression);
  return words.toLowerCase() === name.toLowerCase() ? null : `${name} is ${words}`;
}

/** An expression in words: `high - low`, `days from ordered to shipped`. */
export function expressionWords(expression: Expression): string {
  switch (expression.kind) {
    case 'column':
      return expression.column;
    case 'number':
      return String(expression.value);
    case 'arithmetic':
      return `${operand(expression.left)} ${expression.operator} ${operand(expression.right)}`;
    case 'function':
      return FUNCTIONS[expression.function](operand(expression.of));
    case 'part':
      return `${PARTS[expression.part]} of ${expression.column}`;
    case 'length':
      return `number of ${expression.unit} of ${expression.column}`;
    case 'duration':
      return `${expression.unit} from ${expression.from} to ${expression.to}`;
    case 'scaled':
    case 'bins':
    case 'equal_bins':
    case 'case':
    case 'filled':
      return sortedWords(expression);
  }
}

/** Expressions that put rows into a scale or into groups. */
function sortedWords(expression: Of<'scaled' | 'bins' | 'equal_bins' | 'case' | 'filled'>): string {
  switch (expression.kind) {
    case 'scaled':
      return expression.method === 'zscore'
        ? `${expression.population ? 'population ' : ''}z-score of ${operand(expression.of)}`
        : `${operand(expression.of)} scaled from 0 to 1`;
    case 'bins':
      return `${operand(expression.of)} in ranges that end at ${few(expression.edges.map(String))}`;
    case 'equal_bins':
      return `${operand(expression.of)} in ${expression.count} ranges of equal ${expression.equal === 'width' ? 'width' : 'size'}`;
    case 'case':
      return caseWords(expression);
    case 'filled':
      return `${expression.column} with ${typeof expression.with === 'number' ? expression.with : `its ${expression.with}`} where it is missing`;
  }
}

function caseWords({ cases, otherwise }: Of<'case'>): string {
  const told = cases.map(({ filters, value }) => `“${value}” where ${filters.map(filterWords).join(' and ')}`);
  return few([...told, ...(otherwise === null ? [] : [`else “${otherwise}”`])]);
}

function operand(expression: Expression): string {
  const words = expressionWords(expression);
  return expression.kind === 'arithmetic' ? `(${words})` : words;
}

function few(words: readonly string[]): string {
  const rest = words.length - SHOWN;
  return rest > 0 ? `${words.slice(0, SHOWN).join(', ')} and ${rest} more` : words.join(', ');
}
