import type { Filter } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import { sameLetters } from '../bind-values.js';
import { isRelated } from './column-words.js';
import { columnAt } from './column-mentions.js';
import type { Line } from './line.js';
import { rowNounAt } from './nouns.js';
import { theOnly } from './only.js';
import type { Sentence } from './sentence.js';
import { valueAt, type ValueChoice, type ValueMention } from './value-mentions.js';

/** What is known about a value before its column is chosen. */
export interface ValueContext {
  /** Columns one of which is meant, named or spoken of; empty when nothing is said. */
  readonly columns: readonly ColumnFacts[];
  /** The columns were named outright, so that no other may be taken. */
  readonly named: boolean;
  readonly preposition: string;
  readonly negated: boolean;
}

const JOINS = new Set([',', 'or', 'and', 'nor']);
const BEFORE_VALUE = new Set(['in', 'from', 'the', 'a', 'an', 'by', 'at', 'of']);

const SIDES: Readonly<Record<string, RegExp>> = {
  from: /^(origin|from|source|src|departure|start|home|sender|seller|nationality|country|citizenship|birthplace|hometown)$/,
  to: /^(destination|dest|to|arrival|target|end|receiver|recipient|buyer)$/,
  by: /^(author|director|artist|maker|manufacturer|creator|writer|producer|publisher|by|composer|singer|supplier|airline|operator)$/,
  at: /^(venue|stadium|location|place|site|school|university|store|branch|hospital|airport|at)$/,
  in: /^(city|country|state|region|town|location|loc|place|county|continent|department|dept|in|area|district)$/,
};

/** Reads a value and those joined to it as one condition; `null` when none stands here or its column can't be told. */
export function valuesAt(
  sentence: Sentence,
  at: number,
  context: ValueContext,
): { filter: Filter; next: number } | null {
  const first = valueAt(sentence.line, at);
  const column = first === null ? null : columnOf(first, context);
  if (first === null || column === null || isNounOnly(sentence, { at, first, column })) return null;
  if (column === 'ambiguous') {
    const options = first.choices.map((choice) => choice.column).join(' or ');
    sentence.problems.push(`“${first.text}” could be ${options}.`);
    return null;
  }
  const found = [choiceIn(first, column)];
  let next = first.next;
  for (let more = joinedValue(sentence, next, column); more !== null; more = joinedValue(sentence, next, column)) {
    found.push(choiceIn(more, column));
    next = more.next;
  }
  note(sentence, first, found[0], column);
  return { filter: filterOf(column, found, context.negated), next: afterNoun(sentence, next, column) };
}

interface FirstSaid {
  readonly at: number;
  readonly first: ValueMention;
  readonly column: string;
}

/** A part of a cell that is rather a word for the rows or for what the column tells. */
function isNounOnly(sentence: Sentence, { at, first, column }: FirstSaid): boolean {
  return first.partial && (isSameNoun(first.text, column) || rowNounAt(sentence, at) === first.next);
}

/** `suppliers that supply …` says nothing about the supplier called Delta Supply. */
function isSameNoun(text: string, column: string): boolean {
  return wordsOfName(column).some((word) => word.length > 3 && isRelated(text.toLowerCase(), word));
}

function choiceIn({ choices }: ValueMention, column: string): ValueChoice {
  return choices.find((choice) => choice.column === column) ?? { column, values: [], part: null };
}

/** The value after `or`, `and` or a comma, if it is of the same column. */
function joinedValue(sentence: Sentence, at: number, column: string): ValueMention | null {
  const { line } = sentence;
  const joined = line.skip(at, JOINS);
  const value = joined === at ? null : valueHere(line, line.skip(joined, BEFORE_VALUE));
  if (value === null || isOnOtherSide(value, line.key(joined), column)) return null;
  return value.choices.some((choice) => choice.column === column) ? value : null;
}

/** In `to Madrid or from Oslo` the second is no place to arrive at. */
function isOnOtherSide({ choices }: ValueMention, preposition: string, column: string): boolean {
  const sided = theOnly(onSide(choices, preposition));
  return sided !== null && sided.column !== column;
}

/** A whole value that is not just as well the name of a column. */
function valueHere(line: Line, at: number): ValueMention | null {
  const value = valueAt(line, at);
  return value === null || value.partial || isNameOfColumn(line, at, value.next) ? null : value;
}

function isNameOfColumn(line: Line, at: number, next: number): boolean {
  const named = columnAt(line, at);
  return named !== null && named.strength >= 90 && named.next >= next;
}

function columnOf({ choices, partial }: ValueMention, context: ValueContext): string | null {
  const names = new Set(context.columns.map(({ name }) => name));
  const fitting = choices.filter(({ column }) => names.has(column));
  const spoken = theOnly(fitting);
  if (spoken !== null) return spoken.column;
  if (context.named) return null;
  const rest = fitting.length > 0 ? fitting : choices;
  const chosen = theOnly(rest) ?? theOnly(onSide(rest, context.preposition));
  if (chosen !== null) return chosen.column;
  return partial ? null : 'ambiguous';
}

/** After `from` or `by` the columns are meant whose names say as much. */
function onSide(choices: readonly ValueChoice[], preposition: string): readonly ValueChoice[] {
  const side = SIDES[preposition];
  return side === undefined ? [] : choices.filter(({ column }) => wordsOfName(column).some((word) => side.test(word)));
}

function wordsOfName(name: string): readonly string[] {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u);
}

function filterOf(column: string, found: readonly ValueChoice[], negated: boolean): Filter {
  const [first] = found;
  if (found.length === 1 && first?.part != null) return { kind: 'contains', column, text: first.part, negated };
  return { kind: 'in', column, values: [...new Set(found.flatMap(({ values }) => values))], negated };
}

function note(
  sentence: Sentence,
  { text, partial }: ValueMention,
  choice: ValueChoice | undefined,
  column: string,
): void {
  if (choice === undefined) return;
  if (choice.part !== null) sentence.note(`I took “${text}” as every ${column} that contains “${choice.part}”.`);
  else if (partial || !sameLetters(text, choice.values))
    sentence.note(`I took “${text}” as ${column} ${choice.values.map(String).join(', ')}.`);
}

/** `the Furniture category`, `the north and south lines`: the column's own name after its value says nothing new. */
function afterNoun(sentence: Sentence, at: number, column: string): number {
  const mention = columnAt(sentence.line, at);
  const isSame =
    mention !== null && mention.columns.some(({ name }) => name === column) && mention.columns.length === 1;
  return isSame && !sentence.line.is(mention.next, 'is', 'was', '=') ? mention.next : at;
}
