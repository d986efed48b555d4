import type { PlanColumn, PlanColumns } from '../../../plan/plan-columns.js';
import { numberInput, type PlanInput } from '../../../plan/plan-inputs.js';
import type { FigureScope, PipelineSteps } from './pipeline-steps.js';
import type { Term } from './pipeline-terms.js';
import type { PipelineWriter } from './pipeline-writers.js';

/** What the words of a plan mean where they are compiled. */
export interface PipelineContext {
  readonly columns: PlanColumns;
  readonly writer: PipelineWriter;
  readonly steps: PipelineSteps;
  /** For figures over the rows that fit the plan's other conditions, and over all rows. */
  readonly scope: { readonly matching: FigureScope; readonly all: (column: string) => FigureScope };
}

/** A column as a figure takes it: what is true or false counts as 1 or 0. */
export function inputTerm({ column, asNumber }: Pick<PlanInput, 'column' | 'asNumber'>, writer: PipelineWriter): Term {
  const stored = writer.column(column);
  return asNumber ? { $toInt: stored } : stored;
}

/** A column of numbers, or of what is true or false as 1 and 0. */
export function numberTerm(
  name: string,
  { columns, writer }: Pick<PipelineContext, 'columns' | 'writer'>,
  purpose: string,
): { readonly term: Term; readonly type: PlanColumn['type'] } {
  const input = numberInput(name, columns, purpose);
  return { term: inputTerm(input, writer), type: input.type };
}
