import type { Expression } from '../../../ports/plan-expression.js';
import type { ColumnFacts } from '../column-facts.js';
import { onlyOf } from './column-mentions.js';
import { subjectAt } from './hints.js';
import { phraseSet, type Line } from './line.js';
import type { Sentence } from './sentence.js';
import { valueAt } from './value-mentions.js';

/** Words that may stand before a column. */
export const ARTICLES: ReadonlySet<string> = new Set(['the', 'their', 'its', 'a', 'of']);

type Operator = '+' | '-' | '*' | '/';

interface Sign {
  readonly operator: Operator;
  readonly word: string;
}

const ARITHMETIC: readonly (Sign & { readonly phrases: ReturnType<typeof phraseSet> })[] = [
  { operator: '+', word: 'plus', phrases: phraseSet('plus|added to|+') },
  { operator: '-', word: 'minus', phrases: phraseSet('minus|less the|subtracted by|reduced by|-') },
  { operator: '*', word: 'times', phrases: phraseSet('times|multiplied by|multiplied with|*') },
  { operator: '/', word: 'per', phrases: phraseSet('divided by|per|over the|/') },
];

export function arithmeticAt(line: Line, at: number): (Sign & { readonly next: number }) | null {
  for (const { operator, word, phrases } of ARITHMETIC) {
    const next = line.phrase(at, phrases);
    if (next !== null) return { operator, word, next };
  }
  return null;
}

export interface Operand {
  readonly column: ColumnFacts;
  readonly next: number;
}

/** The one column of numbers that is named here. */
export function figureNamed({ line }: Sentence, at: number): Operand | null {
  const named = onlyOf(subjectAt(line, line.skip(at, ARTICLES)));
  if (named?.column.role !== 'figure' || named.strength < 45) return null;
  return { column: named.column, next: named.next };
}

export interface Computation {
  readonly name: string;
  readonly additive: boolean;
  readonly next: number;
}

/** What is worked out so far, and the place after it. */
interface Term extends Computation {
  readonly expression: Expression;
  readonly isBracketed?: boolean;
}

/** `revenue minus cost`, `price times quantity`: a column that is worked out for each row. `at` is where the first column begins. */
export function computationAt(sentence: Sentence, at: number): Computation | null {
  const term = pairAt(sentence, at) ?? formulaAt(sentence, at) ?? namedFormulaAt(sentence, at);
  if (term === null) return null;
  const { name, expression, additive, next } = term;
  return { name: sentence.derive({ name, expression }), additive, next };
}

/** Columns with signs between them; what is worked out begins with a column or a bracket. */
function formulaAt(sentence: Sentence, at: number): Term | null {
  const { line } = sentence;
  if (line.number(at) !== null) return null;
  const term = sumAt(sentence, at);
  return term?.expression.kind === 'arithmetic' ? term : null;
}

/** `profit (revenue - cost)`: what a formula in brackets is called says nothing else. */
function namedFormulaAt(sentence: Sentence, at: number): Term | null {
  const { line } = sentence;
  for (let place = at; place < at + LONGEST_NAME && isPartOfName(line, place); place += 1) {
    if (line.is(place + 1, '(')) return formulaAt(sentence, place + 1);
  }
  return null;
}

const LONGEST_NAME = 4;
const LINKING =
  /^(of|by|per|for|in|with|and|or|the|where|than|is|are|each|every|from|at|on|average|total|sum|mean|median|minimum|maximum)$/;

function isPartOfName(line: Line, at: number): boolean {
  return line.isWord(at) && !LINKING.test(line.key(at)) && valueAt(line, at) === null;
}

type TermReader = (sentence: Sentence, at: number) => Term | null;

function sumAt(sentence: Sentence, at: number): Term | null {
  return chainAt(sentence, at, { reader: productAt, operators: ['+', '-'] });
}

/** `times` and `divided by` bind before `plus` and `minus`. */
function productAt(sentence: Sentence, at: number): Term | null {
  return chainAt(sentence, at, { reader: operandAt, operators: ['*', '/'] });
}

interface Chain {
  readonly reader: TermReader;
  readonly operators: readonly Operator[];
}

function chainAt(sentence: Sentence, at: number, chain: Chain): Term | null {
  let term = chain.reader(sentence, at);
  for (let more = term; more !== null; more = extended(sentence, more, chain)) term = more;
  return term;
}

function extended(sentence: Sentence, left: Term, { reader, operators }: Chain): Term | null {
  const { line } = sentence;
  const sign = arithmeticAt(line, left.next);
  if (sign === null || !operators.includes(sign.operator) || line.is(left.next, 'per')) return null;
  const right = reader(sentence, sign.next);
  return right === null ? null : combined(sign, left, right);
}

function operandAt(sentence: Sentence, at: number): Term | null {
  const bracketed = bracketAt(sentence, sentence.line.skip(at, ARTICLES));
  if (bracketed !== null) return bracketed;
  const figure = figureNamed(sentence, at);
  return figure === null ? numberAt(sentence, at) : termOf(figure);
}

function bracketAt(sentence: Sentence, at: number): Term | null {
  const { line } = sentence;
  const inner = line.is(at, '(') ? sumAt(sentence, at + 1) : null;
  if (inner === null || !line.is(inner.next, ')')) return null;
  return { ...inner, isBracketed: true, next: inner.next + 1 };
}

function numberAt({ line }: Sentence, at: number): Term | null {
  const number = line.number(at);
  if (number?.unit !== null) return null;
  const { value, next } = number;
  return { expression: { kind: 'number', value }, name: String(value), additive: true, next };
}

function termOf({ column, next }: Operand): Term {
  const { name, additive } = column;
  return { expression: { kind: 'column', column: name }, name, additive, next };
}

function combined({ operator, word }: Sign, left: Term, right: Term): Term {
  return {
    expression: { kind: 'arithmetic', operator, left: left.expression, right: right.expression },
    name: `${nameWithin(left)} ${word} ${nameWithin(right)}`,
    additive: isAdditive(operator, left, right),
    next: right.next,
  };
}

function nameWithin({ name, isBracketed }: Term): string {
  return isBracketed === true ? `(${name})` : name;
}

/** Whether the sum over rows means something: of a sum of sums, of a product, of a part of a sum. */
function isAdditive(operator: Operator, left: Term, right: Term): boolean {
  const areSums = left.additive && right.additive;
  if (isNumber(left) || isNumber(right)) return areSums && scales(operator, right);
  return operator === '*' || (operator !== '/' && areSums);
}

/** Whether every row is made larger or smaller by the same number. */
function scales(operator: Operator, right: Term): boolean {
  return operator === '*' || (operator === '/' && isNumber(right));
}

function isNumber({ expression }: Term): boolean {
  return expression.kind === 'number';
}

const PAIRS: readonly (Sign & { readonly phrases: ReturnType<typeof phraseSet> })[] = [
  {
    operator: '-',
    word: 'minus',
    phrases: phraseSet('difference between|difference of|the difference between|the difference of|gap between'),
  },
  { operator: '+', word: 'plus', phrases: phraseSet('sum of|the sum of|combined') },
];

/** `the difference between home score and away score`. */
function pairAt(sentence: Sentence, at: number): Term | null {
  const { line } = sentence;
  for (const pair of PAIRS) {
    const start = line.phrase(at, pair.phrases);
    const left = start === null ? null : figureNamed(sentence, start);
    const right = left !== null && line.is(left.next, 'and') ? figureNamed(sentence, left.next + 1) : null;
    if (left !== null && right !== null) return combined(pair, termOf(left), termOf(right));
  }
  return null;
}
