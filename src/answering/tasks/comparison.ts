import { bullets, capital, countOf, inline, numberWords, paragraphs, tableOf } from './markdown-words.js';
import type { FoundFigure } from './figures.js';
import type { TaskSubject } from './task-assignment.js';

const MAX_ROWS = 15;
const MAX_SUBJECTS = 6;
const MAX_SENTENCES = 3;

/** The same figure of several datasources. */
interface Row {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

/**
 * The figures that several datasources have in common, side by side, with difference and ratio; empty when they have none. Only
 * what was asked in the same way of columns of the same name is comparable.
 */
export function comparisonOf(figures: readonly FoundFigure[], subjects: readonly TaskSubject[]): string {
  const rows = rowsOf(figures, subjects);
  if (subjects.length < 2 || rows.length === 0) return '';
  const shown = rows.slice(0, MAX_ROWS);
  const parts = [
    bullets(shown.slice(0, MAX_SENTENCES).flatMap((row) => sentenceOf(row, subjects))),
    subjects.length === 2 ? tableOfTwo(shown, subjects) : tableOfMany(shown, subjects),
    rows.length > shown.length ? `${countOf(rows.length - shown.length, 'more figure')} could be compared.` : '',
    periodsOf(subjects),
  ];
  return paragraphs(parts);
}

function rowsOf(figures: readonly FoundFigure[], subjects: readonly TaskSubject[]): readonly Row[] {
  const comparable = figures.filter(({ isMoment, label }) => !isMoment && !label.startsWith('standard deviation'));
  const keys = [...new Set(comparable.map(({ shared }) => shared))];
  return keys.flatMap((key) => {
    const same = comparable.filter(({ shared }) => shared === key);
    const values = subjects.map(
      ({ datasourceId }) => same.find(({ subject }) => subject.datasourceId === datasourceId)?.value ?? null,
    );
    const known = values.filter((value) => value !== null);
    return known.length < 2 ? [] : [{ label: same[0]?.label ?? '', values }];
  });
}

function tableOfTwo(rows: readonly Row[], subjects: readonly TaskSubject[]): string {
  const head = ['Figure', ...namesOf(subjects), 'Difference', 'Ratio'];
  const cells = rows.map(({ label, values: [first = null, second = null] }) => [
    inline(label, 160),
    cell(first),
    cell(second),
    first === null || second === null ? '–' : numberWords(second - first),
    first === null || second === null || first === 0 ? '–' : numberWords(rounded(second / first)),
  ]);
  return tableOf(head, cells, [false, true, true, true, true]);
}

function tableOfMany(rows: readonly Row[], all: readonly TaskSubject[]): string {
  const subjects = all.slice(0, MAX_SUBJECTS);
  const head = ['Figure', ...namesOf(subjects), 'Highest', 'Highest to lowest'];
  const cells = rows.map(({ label, values }) => {
    const [top, bottom] = endsOf(values);
    return [
      inline(label, 160),
      ...values.slice(0, MAX_SUBJECTS).map(cell),
      inline(all[values.indexOf(top)]?.name ?? ''),
      bottom === 0 ? '–' : numberWords(rounded(top / bottom)),
    ];
  });
  const more = all.length - subjects.length;
  const table = tableOf(head, cells, [false, ...subjects.map(() => true), false, true]);
  return more > 0 ? paragraphs([table, `${countOf(more, 'more datasource')} found no room in the table.`]) : table;
}

function sentenceOf({ label, values }: Row, subjects: readonly TaskSubject[]): readonly string[] {
  const [top, bottom] = endsOf(values);
  if (top === bottom) return [];
  const name = (value: number): string => inline(subjects[values.indexOf(value)]?.name ?? '');
  const times = bottom > 0 && top / bottom >= 1.01 ? `, ${numberWords(rounded(top / bottom))} times as much` : '';
  const [what, end] = [capital(inline(label, 160)), values.length > 2 ? 'highest' : 'higher'];
  return [
    `${what} is ${end} for **${name(top)}**: **${numberWords(top)}** against **${numberWords(bottom)}** of ${name(bottom)}${times}.`,
  ];
}

function endsOf(values: readonly (number | null)[]): readonly [number, number] {
  const known = values.filter((value) => value !== null);
  return [Math.max(...known), Math.min(...known)];
}

/** Figures of different periods are not alike, and the reader must know. */
function periodsOf(subjects: readonly TaskSubject[]): string {
  const spans = subjects.map(({ profile: { timeRange } }) =>
    timeRange === null ? 'no time' : `${timeRange.from.slice(0, 10)} to ${timeRange.to.slice(0, 10)}`,
  );
  if (new Set(spans).size < 2) return '';
  const each = subjects.slice(0, MAX_SUBJECTS).map(({ name }, index) => `${inline(name)} ${spans[index] ?? ''}`);
  return `The datasources span different times (${each.join('; ')}), so totals and counts compare only with that in mind.`;
}

function namesOf(subjects: readonly TaskSubject[]): readonly string[] {
  return subjects.map(({ name }) => inline(name, 40));
}

function cell(value: number | null): string {
  return value === null ? '–' : numberWords(value);
}

function rounded(ratio: number): number {
  return Number(ratio.toPrecision(3));
}
