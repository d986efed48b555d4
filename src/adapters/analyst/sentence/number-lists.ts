import type { Comparison, Filter } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import { nameWords } from '../text.js';
import { convert } from '../units.js';
import { onlyColumnAt } from './column-mentions.js';
import type { Line, NumberMention } from './line.js';
import type { Sentence } from './sentence.js';

/** Numbers, at least one, in the order in which they were said. */
export interface NumberList {
  readonly numbers: readonly [NumberMention, ...NumberMention[]];
  readonly next: number;
}

/** Numbers joined by commas and `or`. */
export function numberList({ line }: Sentence, at: number): NumberList | null {
  const first = numberAt(line, at);
  if (first === null) return null;
  const numbers: [NumberMention, ...NumberMention[]] = [first];
  let next = first.next;
  for (;;) {
    const place = line.skip(next, new Set([',', 'or', 'and']));
    const more = place === next ? null : line.number(line.skip(place, new Set(['in'])));
    if (more === null || line.tokens[more.next - 1]?.kind !== 'number') return { numbers, next };
    numbers.push(more);
    next = more.next;
  }
}

/** A single number, whatever follows it. */
export function oneNumber({ line }: Sentence, at: number): NumberList | null {
  const number = numberAt(line, at);
  return number === null ? null : { numbers: [number], next: number.next };
}

const TIMES: ReadonlyMap<string, number> = new Map(Object.entries({ once: 1, twice: 2, thrice: 3 }));

/** A number, or after a comparison how many times: `at least twice`. */
function numberAt(line: Line, at: number): NumberMention | null {
  const times = line.is(at - 1, 'least', 'most', 'than', 'exactly', 'only') ? TIMES.get(line.key(at)) : undefined;
  return times === undefined ? line.number(at) : { value: times, unit: null, text: line.key(at), next: at + 1 };
}

/** A number in the unit of a column; `null`, and told, when the column is measured in something else. */
export function converted(sentence: Sentence, { value, unit }: NumberMention, column: ColumnFacts): number | null {
  const inUnit = convert(inThousands(value, column), unit, column.unit);
  if (inUnit === null) sentence.problems.push(`${column.name} is not measured in what you compare it with.`);
  return inUnit;
}

const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^(?:k|thousands?|kusd|keur)$/, 1000],
  [/^(?:m|mn|mio|mill|millions?|musd|meur)$/, 1_000_000],
  [/^(?:bn|billions?)$/, 1_000_000_000],
];

/** `more than 3 million` of a column that is told in millions, which holds no such numbers. */
export function inThousands(value: number, { name, profile }: ColumnFacts): number {
  const last = nameWords(name).at(-1) ?? '';
  const scale = SCALES.find(([words]) => words.test(last))?.[1] ?? 1;
  return typeof profile.max === 'number' && value > profile.max && value >= scale ? value / scale : value;
}

const SAID_UNITS: Readonly<Record<string, readonly string[]>> = {
  m: ['m', 'metre', 'metres', 'meter', 'meters'],
  km: ['km', 'kilometre', 'kilometres', 'kilometer', 'kilometers'],
  kg: ['kg', 'kilo', 'kilos', 'kilogram', 'kilograms'],
  cm: ['cm', 'centimetre', 'centimetres', 'centimeters'],
  km2: ['km2', 'square'],
};

/** The place after the unit in which a column is measured anyway: `180 m` of height_m. */
export function pastUnit(line: Line, at: number, { unit, name }: ColumnFacts): number {
  const said = unit === null ? [] : [unit, ...(SAID_UNITS[unit] ?? [])];
  if (line.is(at, ...said, 'times')) return at + 1;
  // `sold fewer than 3 million albums`: the column itself.
  const named = onlyColumnAt(line, at);
  return named?.column.name === name && named.strength >= 50 ? named.next : at;
}

/** All of the numbers in the unit of a column; `null` when one of them is in another. */
export function allConverted(
  sentence: Sentence,
  numbers: readonly NumberMention[],
  column: ColumnFacts,
): readonly number[] | null {
  const values = numbers.map((number) => converted(sentence, number, column));
  const known = values.filter((value) => value !== null);
  return known.length < values.length ? null : known;
}

export function numberFilter({ name }: ColumnFacts, operator: Comparison, value: number): Filter & { kind: 'compare' } {
  return { kind: 'compare', column: name, operator, value };
}

/** One number is compared; of several the column has any, or none where it is denied. */
export function numbersFilter(column: ColumnFacts, values: readonly number[], operator: Comparison): Filter {
  const [first = 0] = values;
  if (values.length === 1) return numberFilter(column, operator, first);
  return { kind: 'in', column: column.name, values, negated: operator === '!=' };
}

/** From one number to the other, whichever is less; what lies outside of them where it is denied. */
export function rangeFilter(column: ColumnFacts, ends: readonly number[], denied: boolean): Filter {
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  return denied
    ? { kind: 'any', of: [[numberFilter(column, '<', low)], [numberFilter(column, '>', high)]] }
    : { kind: 'between', column: column.name, low, high };
}
