import type { Summary } from '../ports/analysis-plan.js';
import { type ColumnType, isNumeric, type ResultColumn } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import { shown } from './plan-columns.js';
import { assertKnown } from './plan-words.js';

/** A figure or a dimension as its result is called. */
export interface Labelled {
  readonly label: string;
  readonly type: ColumnType;
}

/** @throws AppError `invalid_input` unless each has a label of its own. */
export function assertLabels(outputs: readonly { readonly label: string }[]): void {
  if (outputs.length === 0) throw new AppError('invalid_input', 'the plan has neither measures nor dimensions');
  const seen = new Set<string>();
  for (const { label } of outputs) {
    if (label.trim() === '') throw new AppError('invalid_input', 'a measure or dimension of the plan has no label');
    if (label.includes('\0')) throw new AppError('invalid_input', 'a label has a character that no text has');
    if (seen.has(label.toLowerCase())) {
      throw new AppError('invalid_input', `the label "${shown(label)}" is used twice`);
    }
    seen.add(label.toLowerCase());
  }
}

/** @throws AppError `invalid_input` when the figure is no number. */
export function assertNumber({ type, label }: Labelled): void {
  if (isNumeric(type)) return;
  throw new AppError('invalid_input', `"${shown(label)}" is no number and can't be compared with one`);
}

const SUMMARIES: readonly Summary['aggregate'][] = ['count', 'sum', 'avg', 'min', 'max', 'median', 'stddev'];

/** What a summary gives; `figureAt` finds the figure that it is of. */
export function summaryColumn(summary: Summary, figureAt: (measure: number) => Labelled): ResultColumn {
  assertKnown(summary.aggregate, SUMMARIES);
  assertLabels([{ label: summary.label }]);
  if (summary.aggregate === 'count') return { name: summary.label, type: 'integer' };
  if (summary.measure === null) {
    throw new AppError('invalid_input', `the summary "${shown(summary.label)}" lacks a measure`);
  }
  return { name: summary.label, type: summaryType(summary, figureAt(summary.measure)) };
}

function summaryType({ aggregate }: Summary, figure: Labelled): ColumnType {
  const keeps = aggregate === 'min' || aggregate === 'max';
  if (!isNumeric(figure.type) && !(keeps && figure.type !== 'boolean')) assertNumber({ ...figure, type: 'text' });
  return keeps || aggregate === 'sum' ? figure.type : 'number';
}
