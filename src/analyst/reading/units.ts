import type { ColumnFacts } from './table.js';

export interface Unit {
  readonly dimension: string;
  readonly size: number;
}

/** Units by what they measure, each with its size in the first of them. */
const UNITS: ReadonlyMap<string, Unit> = new Map(
  Object.entries({
    length:
      '1 m metre metres meter meters|0.001 mm|0.01 cm centimetre centimetres centimeter centimeters|1000 km kilometre kilometres kilometer kilometers|1609.344 mi mile miles|0.3048 ft foot feet',
    time: '1 s sec secs second seconds|0.001 ms|60 min mins minute minutes|3600 h hr hrs hour hours stunden std|86400 day days night nights tage d|604800 week weeks wochen wks',
    calendar: '1 month months monate mths mth mo|12 year years jahre yrs yr|3 quarter quarters',
    mass: '1 kg kilo kilos kilogram kilograms|0.001 g gram grams gramme grammes|1000 t tonne tonnes ton tons',
    volume: '1 l litre litres liter liters|0.001 ml|0.01 cl|100 hl|1000 m3',
    energy: '1 kwh|0.001 wh|1000 mwh',
    power: '1 kw|0.001 w watt watts|1000 mw',
    temperature: '1 c celsius degc degree degrees',
    storage: '1 gb|0.001 mb|1000 tb',
    euro: '1 eur euro euros €',
    dollar: '1 usd dollar dollars $',
    pound: '1 gbp pound pounds £',
  }).flatMap(([dimension, lines]) =>
    lines.split('|').flatMap((line) => {
      const [size, ...names] = line.split(' ');
      return names.map((name) => [name, { dimension, size: Number(size) }] as const);
    }),
  ),
);

export function unitNamed(word: string): Unit | null {
  return UNITS.get(word) ?? null;
}

/** The unit of a number that is written with it, such as `72h`. */
export function unitGlued(word: string): Unit | null {
  return unitNamed(/^\d+(?:\.\d+)?([a-z]{1,3})$/.exec(word)?.[1] ?? '');
}

/** What begins the time in which a column counts: `hours per week`, `days in the last year`. */
const PER = /^(?:per|pro|a|each|every|last|past|typical|usual)$/;

/** The unit in a column's name: the last word that is one, such as the `min` of Duration_min, the hours of `hours per week`. */
export function unitOfColumn({ words: all }: ColumnFacts): Unit | null {
  const per = all.findIndex(({ word }, at) => at > 0 && PER.test(word));
  const words = per < 0 ? all : all.slice(0, per);
  return words.reduce<Unit | null>((found, { word, weight }) => (weight > 0 ? unitNamed(word) : null) ?? found, null);
}

export function isSameUnit(one: Unit | null, other: Unit): boolean {
  return one?.dimension === other.dimension && one.size === other.size;
}

/** `1.5` of one unit in another, without the noise of floating point. */
export function converted(value: number, from: Unit, to: Unit): number {
  return Number(((value * from.size) / to.size).toPrecision(12));
}
