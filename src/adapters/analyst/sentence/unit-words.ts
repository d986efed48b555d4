import type { ColumnFacts } from '../column-facts.js';
import { stem } from '../text.js';
import { columnsMeasuredIn, convert, isMeasure } from '../units.js';
import { abbreviates } from './column-words.js';
import type { Line } from './line.js';
import { columnAt } from './column-mentions.js';
import { rowNounAt } from './nouns.js';
import { theOnly } from './only.js';
import type { Sentence } from './sentence.js';

const UNITS =
  /^(euros?|dollars?|pounds?|francs?|eur|usd|gbp|chf|yen|zloty|crowns?|minutes?|mins?|seconds?|secs?|hours?|hrs?|days?|weeks?|metres?|meters?|km|kilometres?|kilometers?|miles?|feet|inches|cm|mm|centimetres?|millimetres?|kilos?|kilograms?|kg|grams?|tons?|tonnes?|litres?|liters?|degrees|celsius|fahrenheit|percent|points?|kwh|mwh|gwh|mw|gb|mb|kb|bytes|ms|milliseconds|millilitres?|milliliters?|ml|centilitres?|hectares?|ha|decibels?|db)$/;
/** Units that a figure is asked for in may have been told in the header in another way. */
const SPELLED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    tonn: ['t'],
    ton: ['t'],
    kilo: ['kg'],
    kilos: ['kg'],
    kilogram: ['kg'],
    franc: ['chf'],
    millilitre: ['ml'],
    millilitr: ['ml'],
    hectare: ['ha'],
    hectar: ['ha'],
    decibel: ['db'],
    euro: ['eur', '€'],
    dollar: ['usd', '$'],
  }),
);

/** `the longest session in minutes`: the unit in which the figure stands anyway. Another unit is another figure and is not read. */
export function unitAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const place = line.is(at, 'in') ? line.skip(at + 1, new Set(['full', 'whole'])) : at;
  if (place === at || !line.isWord(place) || !UNITS.test(line.key(place))) return null;
  const column = lastFigure(sentence);
  if (column === null || !isIn(column, line.key(place))) return null;
  return pastKind(line, place + 1);
}

/** The only column of numbers in a unit that is named here, and that is no name of a column. */
export function columnInUnit(line: Line, at: number): ColumnFacts | null {
  const said = line.key(at);
  if (!UNITS.test(said) || columnAt(line, at) !== null) return null;
  return theOnly(
    line.facts.columns.filter((column) => column.role === 'figure' && column.unit !== null && isIn(column, said)),
  );
}

/** `how many kilos of lamps did we send`: the sum of the only figure that is measured so. */
export function amountInUnitAt(sentence: Sentence, at: number): number | null {
  const { line, items } = sentence;
  if (items.length > 0 || !line.is(at, 'how') || !line.is(at + 1, 'many')) return null;
  const column = rowNounAt(sentence, at + 2) === null ? columnInUnit(line, at + 2) : null;
  if (column === null) return null;
  sentence.opener ??= 'which';
  sentence.addMeasure({ aggregate: 'sum', column: column.name });
  sentence.note(`I added up ${column.name}.`);
  sentence.tail = true;
  return at + 3;
}

/** `in degrees Celsius`. */
function pastKind(line: Line, at: number): number {
  return line.is(at, 'celsius', 'fahrenheit') ? at + 1 : at;
}

/** The figure that was named last. */
function lastFigure(sentence: Sentence): ColumnFacts | null {
  const named = [lastItem(sentence), rankedBy(sentence), sortedBy(sentence)];
  const found = named.flatMap((name) => (name === null ? [] : (sentence.columnNamed(name) ?? [])));
  return found.find(({ role }) => role === 'figure') ?? null;
}

function lastItem({ items }: Sentence): string | null {
  const item = items.at(-1);
  if (item?.kind === 'measure') return item.measure.column;
  return item?.kind === 'column' ? item.column : null;
}

function rankedBy({ rank }: Sentence): string | null {
  return rank?.by.kind === 'column' ? rank.by.column : null;
}

function sortedBy({ order }: Sentence): string | null {
  const key = order.at(-1)?.by;
  return key?.kind === 'column' ? key.column : null;
}

function isIn({ unit, words, stems }: ColumnFacts, said: string): boolean {
  const wanted = stem(said);
  const names = [wanted, said, ...(SPELLED.get(wanted) ?? [])];
  if (unit !== null) return names.includes(unit) || isSameMeasure(unit, said) || abbreviates(unit, said);
  if (names.some((name) => stems.includes(name) || words.includes(name))) return true;
  // A header that says nothing of a unit: what the asker takes it to be in is all there is to know.
  return isMeasure(said) ? columnsMeasuredIn(said).some((word) => words.includes(word)) : !isTold(words);
}

function isSameMeasure(unit: string, said: string): boolean {
  return isMeasure(unit) && isMeasure(said) && convert(1, unit, said) === 1;
}

function isTold(words: readonly string[]): boolean {
  return words.some((word) => UNITS.test(word));
}
