import { parseTime } from './read-time.js';
import { patternOf } from './lexical-pattern.js';
import { UNICODE } from './layout-languages.js';
import type { TimeLayout } from './time-layout.js';

export interface DetectedTimeFormats {
  readonly best: string | null;
  /** The other readings, when the order of day, month and year can't be told from the samples. */
  readonly ambiguous: readonly string[];
}

const SECONDS = { pattern: /^\d{10}(?:\.\d{1,9})?$/, from: 1_000_000_000, to: 4_102_444_800 };
const MILLISECONDS = { pattern: /^\d{13}$/, from: 1_000_000_000_000, to: 4_102_444_800_000 };

/**
 * The layout, in Unicode tokens, that every non-empty sample fits; null when there is none. When day and month can't be told apart,
 * the only reading in which time runs one way is the best, else the one with the day first (the month first beside AM and PM).
 */
export function detectTimeFormats(samples: readonly string[]): DetectedTimeFormats {
  const texts = samples.filter((sample) => sample.trim() !== '');
  const [first] = texts;
  if (first === undefined) return { best: null, ambiguous: [] };
  if (isEpoch(texts, SECONDS)) return { best: 'unix', ambiguous: [] };
  if (isEpoch(texts, MILLISECONDS)) return { best: 'unix_ms', ambiguous: [] };

  const [best, ...others] = byLikelihood(readingsOf(texts, candidatesFor(first)));
  return { best: best?.format ?? null, ambiguous: others.map((reading) => reading.format) };
}

function isEpoch(texts: readonly string[], epoch: typeof SECONDS): boolean {
  return texts.every((text) => epoch.pattern.test(text) && Number(text) >= epoch.from && Number(text) <= epoch.to);
}

interface Reading extends TimeFormatCandidate {
  readonly runsOneWay: boolean;
}

/** The first candidate of each order that every text fits. */
function readingsOf(texts: readonly string[], candidates: readonly TimeFormatCandidate[]): readonly Reading[] {
  return candidates.reduce<readonly Reading[]>((readings, candidate) => {
    if (readings.some((reading) => reading.order === candidate.order)) return readings;
    const times = timesOf(texts, candidate);
    if (times === null) return readings;
    return [...readings, { ...candidate, runsOneWay: runsOneWay(times) }];
  }, []);
}

function timesOf(texts: readonly string[], candidate: TimeFormatCandidate): readonly number[] | null {
  const times: number[] = [];
  for (const text of texts) {
    const time = parseTime(candidate.layout, text)?.getTime();
    if (time === undefined || (candidate.isBareNumber && !isPlausible(time))) return null;
    times.push(time);
  }
  return times;
}

/** A number without separators is a date only when the year is one that data have: article numbers have eight digits too. */
function isPlausible(time: number): boolean {
  return time >= Date.UTC(1900, 0) && time < Date.UTC(2101, 0);
}

function runsOneWay(times: readonly number[]): boolean {
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  if (steps.every((step) => step === 0)) return false;
  return steps.every((step) => step >= 0) || steps.every((step) => step <= 0);
}

function byLikelihood(readings: readonly Reading[]): readonly Reading[] {
  const isMonthFirst = readings.some((reading) => reading.isTwelveHour);
  const order: readonly DateOrder[] = isMonthFirst ? ['mdy', 'dmy', 'ymd'] : ['dmy', 'mdy', 'ymd'];
  const ranked = [...readings].sort((one, other) => order.indexOf(one.order) - order.indexOf(other.order));
  return ranked.sort((one, other) => Number(other.runsOneWay) - Number(one.runsOneWay));
}

/** Where day and month can't be mistaken, because the month is a word or the year comes first with four digits, it is `ymd`. */
type DateOrder = 'ymd' | 'dmy' | 'mdy';

interface TimeFormatCandidate {
  readonly format: string;
  readonly layout: TimeLayout;
  readonly order: DateOrder;
  readonly isTwelveHour: boolean;
  /** Written with digits alone. */
  readonly isBareNumber: boolean;
}

/** A piece of a layout, and how a text begins that could be it. */
interface Piece {
  readonly format: string;
  readonly beginning: RegExp;
  readonly order: DateOrder;
}

function piece(format: string, order: DateOrder = 'ymd'): Piece {
  return { format, beginning: new RegExp(`^(?:${patternOf(layoutOf(format))})`), order };
}

function layoutOf(format: string): TimeLayout {
  const refuse = (what: string): never => {
    throw new Error(`candidate '${format}' has an unknown part '${what}'`);
  };
  return { kind: 'tokens', tokens: UNICODE.read(format, refuse) };
}

const SEPARATORS = ['-', '/', '.', ' '] as const;

const NUMERIC_DATES: readonly Piece[] = SEPARATORS.flatMap((separator) => {
  const joined = (...parts: readonly string[]): string => parts.join(separator);
  return [
    piece(joined('yyyy', 'MM', 'dd')),
    piece(joined('yyyy', 'M', 'd')),
    ...['yyyy', 'yy'].flatMap((year) => [
      piece(joined('dd', 'MM', year), 'dmy'),
      piece(joined('d', 'M', year), 'dmy'),
      piece(joined('MM', 'dd', year), 'mdy'),
      piece(joined('M', 'd', year), 'mdy'),
    ]),
    piece(joined('yy', 'MM', 'dd')),
    piece(joined('yyyy', 'MM')),
    piece(joined('MM', 'yyyy')),
    piece(joined('M', 'yyyy')),
  ];
});

/** A short name comes before the long one: May is both. */
const NAMED_DATES: readonly Piece[] = ['MMM', 'MMMM'].flatMap((month) =>
  [
    ...['-', '/', '.', ' ', ''].flatMap((separator) => [
      ...['yyyy', 'yy'].flatMap((year) => [
        ['dd', month, year].join(separator),
        ...(separator === '' ? [] : [['d', month, year].join(separator)]),
      ]),
      ...(separator === '' ? [] : [['yyyy', month, 'dd'].join(separator), [month, 'yyyy'].join(separator)]),
    ]),
    `${month} dd, yyyy`,
    `${month} d, yyyy`,
    `${month} dd yyyy`,
    `${month} d yyyy`,
    `${month}-yy`,
  ].map((format) => piece(format)),
);

const BARE_DATES: readonly Piece[] = ['yyyyMMdd', 'yyyyMM', 'yyyy'].map((format) => piece(format));

const DATES: readonly Piece[] = [...NUMERIC_DATES, ...NAMED_DATES, ...BARE_DATES];

/** Whole layouts in which the year does not stand beside the month. */
const WHOLE_LAYOUTS: readonly string[] = ['dd', 'd', 'ppd'].flatMap((day) => [
  `EEE MMM ${day} HH:mm:ss yyyy`,
  `EEE MMM ${day} HH:mm:ss zzz yyyy`,
]);

const WEEKDAYS: readonly Piece[] = ['EEE, ', 'EEEE, ', 'EEE ', 'EEEE '].map((format) => piece(format));
const JOINTS: readonly Piece[] = ["'T'", ' ', ', ', ':', '_'].map((format) => piece(format));

/** An exact number of digits comes before a fraction that may be missing, and a short one before a long one. */
const FRACTIONS: readonly string[] = [
  '',
  ...['.', ','].flatMap((point) => [
    ...Array.from({ length: 9 }, (_, index) => point + 'S'.repeat(index + 1)),
    ...[3, 6, 9].map((digits) => `[${point}${'S'.repeat(digits)}]`),
  ]),
];

const CLOCKS: readonly Piece[] = [
  ...['HH', 'H'].flatMap((hour) => [...FRACTIONS.map((fraction) => `${hour}:mm:ss${fraction}`), `${hour}:mm`]),
  'HH.mm.ss',
  'HH.mm',
  'HH',
].map((format) => piece(format));

const TWELVE_HOUR_CLOCKS: readonly Piece[] = ['hh', 'h'].flatMap((hour) =>
  [' ', ''].flatMap((gap) =>
    [...FRACTIONS.map((fraction) => `:mm:ss${fraction}`), ':mm', ''].map((rest) => piece(`${hour}${rest}${gap}a`)),
  ),
);

const BARE_CLOCKS: readonly Piece[] = ['HHmmssSSS', 'HHmmss.SSS', 'HHmmss', 'HHmm'].map((format) => piece(format));

/** Which spelling of an offset stands for a text; any of them reads all. */
const ZONES: readonly (readonly [RegExp, string])[] = [
  [/^$/, ''],
  [/^(?:Z|[+-]\d\d:\d\d)$/, 'XXX'],
  [/^[+-]\d{4}$/, 'XX'],
  [/^[+-]\d\d$/, 'X'],
  [/^(?:UTC|GMT)$/, 'zzz'],
];

/** Every layout that could have written the text, the likelier spelling of each order first. */
function candidatesFor(text: string): readonly TimeFormatCandidate[] {
  const whole = WHOLE_LAYOUTS.map((format) => candidate(format, 'ymd'));
  return [...dated(text, ''), ...prefixes(WEEKDAYS, text).flatMap(([day, rest]) => dated(rest, day.format)), ...whole];
}

function dated(text: string, prefix: string): readonly TimeFormatCandidate[] {
  return prefixes(DATES, text).flatMap(([date, rest]) =>
    timed(rest, date).map((time) => candidate(prefix + date.format + time, date.order)),
  );
}

/** A month or a year has no clock behind it: 20230001 is no minute of 2023. */
function timed(text: string, date: Piece): readonly string[] {
  if (text === '') return [''];
  if (!date.format.includes('d')) return [];
  const joined = prefixes(JOINTS, text).flatMap(([joint, rest]) =>
    prefixes([...BARE_CLOCKS, ...TWELVE_HOUR_CLOCKS, ...CLOCKS], rest).flatMap(([clock, zone]) =>
      zonesOf(zone).map((suffix) => joint.format + clock.format + suffix),
    ),
  );
  const bare = prefixes(BARE_DATES.includes(date) ? BARE_CLOCKS : [], text).flatMap(([clock, zone]) =>
    zonesOf(zone).map((suffix) => clock.format + suffix),
  );
  return [...joined, ...bare];
}

function zonesOf(text: string): readonly string[] {
  const gap = text.startsWith(' ') ? ' ' : '';
  const zone = text.slice(gap.length);
  return ZONES.filter(([form]) => form.test(zone)).map(([, format]) => gap + format);
}

function prefixes(pieces: readonly Piece[], text: string): readonly (readonly [Piece, string])[] {
  return pieces.flatMap((known) => {
    const length = known.beginning.exec(text)?.[0].length;
    return length === undefined ? [] : [[known, text.slice(length)] as const];
  });
}

function candidate(format: string, order: DateOrder): TimeFormatCandidate {
  return {
    format,
    layout: layoutOf(format),
    order,
    isTwelveHour: format.includes('h'),
    isBareNumber: /^[yMdHmsS]+$/.test(format),
  };
}
