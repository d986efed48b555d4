/** Last words of column names that only say in what something is measured. */
const UNIT_WORDS: ReadonlySet<string> = new Set(
  (
    'ms s sec secs seconds minutes hours days km2 sqm sqft m2 m musd mb gb kb tb bytes pct percent v volt volts w kw kwh c f celsius ' +
    'fahrenheit ml cl mg ha m3 db mm cm km in inch inches ft kg g lbs lb mph kmh kph knots kts usd eur gbp dollars euros hpa'
  ).split(' '),
);

export function isUnitWord(word: string): boolean {
  return UNIT_WORDS.has(word);
}

/** What else people call a figure that is measured so: response_ms is the response time. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  ms: ['time', 'times', 'millisecond', 'milliseconds'],
  s: ['time', 'times'],
  sec: ['time', 'times'],
  seconds: ['time', 'times'],
  mb: ['usage', 'use', 'consumption'],
  gb: ['usage', 'use', 'consumption'],
  pct: ['usage', 'use', 'utilization', 'utilisation', 'load', 'percent', 'percentage', 'rate'],
  percent: ['usage', 'use', 'utilization', 'utilisation', 'load', 'pct', 'percentage', 'rate'],
  v: ['voltage', 'level', 'volt', 'volts'],
  lbs: ['pounds', 'weight'],
  kg: ['weight', 'mass'],
  g: ['weight', 'mass'],
  mm: ['length'],
  cm: ['length'],
  km: ['distance', 'length'],
  c: ['temperature'],
  celsius: ['temperature'],
  hpa: ['pressure'],
  kmh: ['speed'],
  kph: ['speed'],
  mph: ['speed'],
};

export function namesOfUnit(unit: string): readonly string[] {
  return Object.hasOwn(CALLED, unit) ? (CALLED[unit] ?? []) : [];
}

interface Measuring {
  /** Measured in the same kind: how many of the base one is. */
  readonly kind: string;
  readonly factor: number;
  /** Words of columns that are measured so, where the name does not say it. */
  readonly columns?: readonly string[];
}

const MONEY = ['revenue', 'price', 'cost', 'amount', 'salary', 'sales', 'total', 'profit', 'budget'];
const TEMPERATURE = ['temp', 'temperature'];
const SPEED = ['speed', 'wind', 'velocity'];

const MEASURES: Readonly<Record<string, Measuring>> = {
  ms: { kind: 'time', factor: 1 },
  milliseconds: { kind: 'time', factor: 1 },
  s: { kind: 'time', factor: 1000 },
  sec: { kind: 'time', factor: 1000 },
  secs: { kind: 'time', factor: 1000 },
  second: { kind: 'time', factor: 1000 },
  seconds: { kind: 'time', factor: 1000 },
  minutes: { kind: 'time', factor: 60_000 },
  minute: { kind: 'time', factor: 60_000 },
  min: { kind: 'time', factor: 60_000 },
  mins: { kind: 'time', factor: 60_000 },
  hours: { kind: 'time', factor: 3_600_000 },
  hour: { kind: 'time', factor: 3_600_000 },
  km: { kind: 'distance', factor: 1 },
  kilometres: { kind: 'distance', factor: 1 },
  kilometers: { kind: 'distance', factor: 1 },
  m: { kind: 'distance', factor: 0.001 },
  metres: { kind: 'distance', factor: 0.001 },
  meters: { kind: 'distance', factor: 0.001 },
  miles: { kind: 'distance', factor: 1.609344 },
  kb: { kind: 'size', factor: 1 },
  mb: { kind: 'size', factor: 1024 },
  gb: { kind: 'size', factor: 1024 ** 2 },
  tb: { kind: 'size', factor: 1024 ** 3 },
  pct: { kind: 'percent', factor: 1 },
  percent: { kind: 'percent', factor: 1 },
  v: { kind: 'volt', factor: 1 },
  volt: { kind: 'volt', factor: 1 },
  volts: { kind: 'volt', factor: 1 },
  degrees: { kind: 'degrees', factor: 1, columns: TEMPERATURE },
  degree: { kind: 'degrees', factor: 1, columns: TEMPERATURE },
  c: { kind: 'degrees', factor: 1, columns: TEMPERATURE },
  celsius: { kind: 'degrees', factor: 1, columns: TEMPERATURE },
  mm: { kind: 'length', factor: 1, columns: ['precipitation', 'rain'] },
  kmh: { kind: 'kmh', factor: 1, columns: SPEED },
  mph: { kind: 'mph', factor: 1, columns: SPEED },
  knots: { kind: 'knots', factor: 1, columns: SPEED },
  $: { kind: 'money', factor: 1, columns: MONEY },
  '€': { kind: 'money', factor: 1, columns: MONEY },
  '£': { kind: 'money', factor: 1, columns: MONEY },
  dollars: { kind: 'money', factor: 1, columns: MONEY },
  euros: { kind: 'money', factor: 1, columns: MONEY },
  usd: { kind: 'money', factor: 1, columns: MONEY },
  eur: { kind: 'money', factor: 1, columns: MONEY },
  years: { kind: 'age', factor: 1, columns: ['age', 'year'] },
  lbs: { kind: 'pounds', factor: 1, columns: ['weight'] },
  pounds: { kind: 'pounds', factor: 1, columns: ['weight'] },
  kg: { kind: 'kg', factor: 1, columns: ['weight'] },
  kilos: { kind: 'kg', factor: 1, columns: ['weight'] },
  kilograms: { kind: 'kg', factor: 1, columns: ['weight'] },
};

/** Factors that are written after a number. */
export const MULTIPLIERS: Readonly<Record<string, number>> = {
  k: 1000,
  thousand: 1000,
  million: 1_000_000,
  millions: 1_000_000,
  billion: 1_000_000_000,
};

export function isMeasure(word: string): boolean {
  return Object.hasOwn(MEASURES, word);
}

/** Words of columns that are measured in this unit without saying so in their names. */
export function columnsMeasuredIn(unit: string): readonly string[] {
  return (isMeasure(unit) ? MEASURES[unit]?.columns : undefined) ?? [];
}

/** `value` of one unit in another; `null` when one can't become the other. A column without a unit takes the figure as it is. */
export function convert(value: number, from: string | null, to: string | null): number | null {
  const [source, target] = [measuring(from), measuring(to)];
  if (source === null || target === null) return value;
  return source.kind === target.kind ? (value * source.factor) / target.factor : null;
}

function measuring(unit: string | null): Measuring | null {
  return unit !== null && isMeasure(unit) ? (MEASURES[unit] ?? null) : null;
}
