import { bullets, inert, paragraphs, tableOf } from '../../shared/markdown.js';
import { changeWords, counted, numberWords } from '../../shared/number-words.js';
import { instantWords } from '../../plan/time-words.js';
import type { FoundFigure } from './findings.js';
import type { PreviousRun, TaskFigure, TaskSubject } from './task-assignment.js';

const MAX_SHOWN = 8;
const MAX_ROWS = 15;
const MAX_SUBJECTS = 6;

/** A figure that both runs have. */
interface Change {
  readonly figure: TaskFigure;
  readonly before: number;
}

/** What stands at the head of an answer: what changed since the last run; empty when there was none. */
export function sinceLastRun(previous: PreviousRun | null, figures: readonly TaskFigure[]): string {
  if (previous === null) return '';
  const opening = `**Compared with the run of ${instantWords(previous.finishedAt)}:**`;
  const before = new Map(previous.figures.map(({ key, value }) => [key, value]));
  const shared = figures.flatMap((figure): readonly Change[] => {
    const value = before.get(figure.key);
    return value === undefined ? [] : [{ figure, before: value }];
  });
  if (shared.length === 0) return `${opening} none of its figures can be compared with those of this run.`;
  // As people see it: a difference that no digit shows is none.
  const changed = shared.filter((one) => numberWords(one.before) !== numberWords(one.figure.value));
  if (changed.length === 0) return `${opening} nothing changed in ${counted(shared.length, 'figure')}.`;
  const shown = changed.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, MAX_SHOWN);
  const [more, same] = [changed.length - shown.length, shared.length - changed.length];
  const rest = [...(more > 0 ? [`${more} more changed`] : []), ...(same > 0 ? [`${same} unchanged`] : [])];
  const others = rest.length === 0 ? [] : [`Other figures: ${rest.join(', ')}.`];
  return `${opening}\n\n${bullets([...shown.map(wordsOf), ...others])}`;
}

function sizeOf({ figure, before }: Change): number {
  return Math.abs(figure.value - before) / (Math.abs(before) || 1);
}

/** `average temperature 21.3 (was 20.1, +6 %)`. */
function wordsOf({ figure, before }: Change): string {
  const change = changeWords(figure.value, before);
  const was = `was ${numberWords(before)}${change === null ? '' : `, ${change}`}`;
  return `${inert(figure.label, 200)} **${numberWords(figure.value)}** (${was})`;
}

/**
 * The figures that several datasources have in common, side by side, with difference and ratio of the highest to the lowest; empty when
 * they have none. Only what was asked in the same way of columns of the same name is comparable.
 */
export function comparisonOf(figures: readonly FoundFigure[], subjects: readonly TaskSubject[]): string {
  if (subjects.length < 2) return '';
  const shown = subjects.slice(0, MAX_SUBJECTS);
  const comparable = figures.filter(({ isMoment }) => !isMoment);
  const rows = [...new Set(comparable.map(({ shared }) => shared))].flatMap((key) => {
    const same = comparable.filter(({ shared }) => shared === key);
    const values = subjects.map((subject) => same.find((one) => one.subject === subject)?.value ?? null);
    const known = values.filter((value) => value !== null);
    if (known.length < 2) return [];
    const [top, bottom] = [Math.max(...known), Math.min(...known)];
    const ratio = bottom <= 0 ? '–' : numberWords(Number((top / bottom).toPrecision(3)));
    const cells = values.slice(0, MAX_SUBJECTS).map((value) => (value === null ? '–' : numberWords(value)));
    return [[inert(same[0]?.label ?? '', 160), ...cells, numberWords(top - bottom), ratio]];
  });
  if (rows.length === 0) return '';
  const head = ['Figure', ...shown.map(({ name }) => inert(name, 40)), 'Difference', 'Ratio'];
  const right = head.map((_, index) => index > 0);
  const [more, beyond] = [subjects.length - shown.length, rows.length - MAX_ROWS];
  return paragraphs([
    tableOf(head, rows.slice(0, MAX_ROWS), right),
    more > 0 ? `${counted(more, 'more datasource')} left out of the table.` : '',
    beyond > 0 ? `${counted(beyond, 'more figure')} could be compared.` : '',
    periodsOf(subjects),
  ]);
}

/** Figures of different periods are not alike, and the reader must know. */
function periodsOf(subjects: readonly TaskSubject[]): string {
  const spans = subjects.map(({ profile: { timeRange } }) =>
    timeRange === null ? 'no time' : `${timeRange.from.slice(0, 10)} to ${timeRange.to.slice(0, 10)}`,
  );
  if (new Set(spans).size < 2) return '';
  const each = subjects.slice(0, MAX_SUBJECTS).map(({ name }, index) => `${inert(name)} ${spans[index] ?? ''}`);
  return `The datasources span different times (${each.join('; ')}), so totals and counts compare only with that in mind.`;
}
