import { bullets, changeWords, dayWords, inline, instantWords, numberWords } from './markdown-words.js';
import type { PreviousRun, TaskFigure } from './task-assignment.js';

const MAX_SHOWN = 8;

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
export function wordsOfChange({ figure, before }: Change): string {
  const change = changeWords(figure.value, before);
  const was = change === null ? `was ${numberWords(before)}` : `was ${numberWords(before)}, ${change}`;
  return `${inline(figure.label, 200)} **${numberWords(figure.value)}** (${was})`;
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
