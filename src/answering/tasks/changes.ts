import { bullets, inert, paragraphs, tableOf } from '../../shared/markdown.js';
import { capital, changeWords, counted, numberWords } from '../../shared/number-words.js';
import { dayWords, instantWords } from '../../plan/time-words.js';
import type { FoundFigure } from './findings.js';
import type { PreviousRun, TaskFigure, TaskSubject } from './task-assignment.js';

const MAX_SHOWN = 8;
const MAX_ROWS = 15;
const MAX_SUBJECTS = 6;
const MAX_SENTENCES = 3;

/** A figure that both runs have. */
export interface Change {
  readonly figure: TaskFigure;
  readonly before: number;
  /** As people see it: a difference that no digit shows is none. */
  readonly isChanged: boolean;
}

/** The figures that the run before had too, in order. */
export function changesSince(previous: PreviousRun | null, figures: readonly TaskFigure[]): readonly Change[] {
  if (previous === null) return [];
  const before = new Map(previous.figures.map(({ key, value }) => [key, value]));
  return figures.flatMap((figure) => {
    const value = before.get(figure.key);
    if (value === undefined) return [];
    return [{ figure, before: value, isChanged: numberWords(value) !== numberWords(figure.value) }];
  });
}

/** What stands at the head of an answer: what changed since the last run; empty when there was none. */
export function sinceLastRun(previous: PreviousRun | null, figures: readonly TaskFigure[]): string {
  if (previous === null) return '';
  const opening = `**Compared with the run of ${instantWords(previous.finishedAt)}:**`;
  const changes = changesSince(previous, figures);
  if (changes.length === 0) return `${opening} none of its figures can be compared with those of this run.`;
  const changed = changes.filter(({ isChanged }) => isChanged);
  if (changed.length === 0) {
    const all = changes.length === 1 ? 'the one figure is' : `all ${changes.length} figures are`;
    return `${opening} nothing changed; ${all} the same.`;
  }
  if (changes.length === 1) return `${opening} ${changed.map(wordsOfChange).join('')}.`;
  const shown = largest(changed);
  const rest = restWords(changed.length - shown.length, changes.length - changed.length);
  return `${opening}\n\n${bullets([...shown.map(wordsOfChange), ...rest])}`;
}

function restWords(more: number, same: number): readonly string[] {
  const parts = [
    ...(more > 0 ? [`${more} more changed`] : []),
    ...(same > 0 ? [`${same} ${same === 1 ? 'is' : 'are'} the same`] : []),
  ];
  return parts.length === 0 ? [] : [`Of the other figures ${parts.join(' and ')}.`];
}

/** `average temperature 21.3 (was 20.1, +6 %)`. */
function wordsOfChange({ figure, before }: Change): string {
  const change = changeWords(figure.value, before);
  const was = change === null ? `was ${numberWords(before)}` : `was ${numberWords(before)}, ${change}`;
  return `${inert(figure.label, 200)} **${numberWords(figure.value)}** (${was})`;
}

/** The change of one figure for a table: `+6 %`, `same`; a dash where the last run did not have it. */
export function changeCell(changes: readonly Change[], key: string): string {
  const change = changes.find(({ figure }) => figure.key === key);
  if (change === undefined) return '–';
  if (!change.isChanged) return 'same';
  return changeWords(change.figure.value, change.before) ?? `was ${numberWords(change.before)}`;
}

/** The head of that column: `Since 3 March 2024`. */
export function changeHead({ finishedAt }: PreviousRun): string {
  return `Since ${dayWords(finishedAt)}`;
}

function largest(changed: readonly Change[]): readonly Change[] {
  const size = ({ figure, before }: Change): number => Math.abs(figure.value - before) / (Math.abs(before) || 1);
  const chosen = new Set(changed.toSorted((a, b) => size(b) - size(a)).slice(0, MAX_SHOWN));
  return changed.filter((change) => chosen.has(change));
}

/** The same figure of several datasources. */
interface SharedFigure {
  readonly label: string;
  /** One for each datasource. */
  readonly values: readonly (number | null)[];
  readonly top: number;
  readonly bottom: number;
}

/**
 * The figures that several datasources have in common, side by side, with difference and ratio; empty when they have none. Only
 * what was asked in the same way of columns of the same name is comparable.
 */
export function comparisonOf(figures: readonly FoundFigure[], subjects: readonly TaskSubject[]): string {
  const shared = subjects.length < 2 ? [] : sharedFigures(figures, subjects);
  if (shared.length === 0) return '';
  const shown = shared.slice(0, MAX_ROWS);
  return paragraphs([
    bullets(shown.slice(0, MAX_SENTENCES).flatMap((one) => sentenceOf(one, subjects))),
    comparedTable(shown, subjects),
    shared.length > shown.length ? `${counted(shared.length - shown.length, 'more figure')} could be compared.` : '',
    periodsOf(subjects),
  ]);
}

function sharedFigures(figures: readonly FoundFigure[], subjects: readonly TaskSubject[]): readonly SharedFigure[] {
  const comparable = figures.filter(({ isMoment }) => !isMoment);
  return [...new Set(comparable.map(({ shared }) => shared))].flatMap((key) => {
    const same = comparable.filter(({ shared }) => shared === key);
    const values = subjects.map(
      ({ datasourceId }) => same.find(({ subject }) => subject.datasourceId === datasourceId)?.value ?? null,
    );
    const known = values.filter((value) => value !== null);
    if (known.length < 2) return [];
    return [{ label: same[0]?.label ?? '', values, top: Math.max(...known), bottom: Math.min(...known) }];
  });
}

/** Difference and ratio are those of the highest to the lowest. */
function comparedTable(shared: readonly SharedFigure[], all: readonly TaskSubject[]): string {
  const subjects = all.slice(0, MAX_SUBJECTS);
  const head = ['Figure', ...subjects.map(({ name }) => inert(name, 40)), 'Difference', 'Ratio'];
  const rows = shared.map(({ label, values, top, bottom }) => [
    inert(label, 160),
    ...values.slice(0, MAX_SUBJECTS).map((value) => (value === null ? '–' : numberWords(value))),
    numberWords(top - bottom),
    bottom <= 0 ? '–' : ratioWords(top / bottom),
  ]);
  const more = all.length - subjects.length;
  const right = head.map((_, index) => index > 0);
  return paragraphs([
    tableOf(head, rows, right),
    more > 0 ? `${counted(more, 'more datasource')} found no room in the table.` : '',
  ]);
}

function sentenceOf({ label, values, top, bottom }: SharedFigure, subjects: readonly TaskSubject[]): readonly string[] {
  if (top === bottom) return [];
  const name = (value: number): string => inert(subjects[values.indexOf(value)]?.name ?? '');
  const times = bottom > 0 && top / bottom >= 1.01 ? `, ${ratioWords(top / bottom)} times as much` : '';
  const [what, end] = [capital(inert(label, 160)), values.length > 2 ? 'highest' : 'higher'];
  return [
    `${what} is ${end} for **${name(top)}**: **${numberWords(top)}** against **${numberWords(bottom)}** of ${name(bottom)}${times}.`,
  ];
}

function ratioWords(ratio: number): string {
  return numberWords(Number(ratio.toPrecision(3)));
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
