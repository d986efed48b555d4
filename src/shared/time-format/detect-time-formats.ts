import { candidatesFor, type DateOrder, type TimeFormatCandidate } from './time-format-candidates.js';
import { parseTime } from './read-time.js';

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

interface Reading {
  readonly format: string;
  readonly order: DateOrder;
  readonly isTwelveHour: boolean;
  readonly runsOneWay: boolean;
}

/** The first candidate of each order that every text fits. */
function readingsOf(texts: readonly string[], candidates: readonly TimeFormatCandidate[]): readonly Reading[] {
  return candidates.reduce<readonly Reading[]>((readings, candidate) => {
    if (readings.some((reading) => reading.order === candidate.order)) return readings;
    const times = timesOf(texts, candidate);
    if (times === null) return readings;
    const { format, order, isTwelveHour } = candidate;
    return [...readings, { format, order, isTwelveHour, runsOneWay: runsOneWay(times) }];
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
