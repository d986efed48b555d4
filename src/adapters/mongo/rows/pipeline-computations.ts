import type { Expression } from '../../../ports/analysis-plan.js';
import type { ColumnType } from '../../../ports/table.js';
import type { PipelineContext } from './pipeline-scope.js';
import type { Term } from './pipeline-terms.js';

/** What a derived column holds. */
export interface Computation {
  readonly term: Term;
  readonly type: ColumnType;
  /** Its texts, when they have an order of their own. */
  readonly ranked?: readonly string[] | undefined;
}

/** Where an expression stands. */
export interface ExpressionPlace extends PipelineContext {
  readonly depth: number;
  /** It is part of what is scaled or divided into intervals. */
  readonly insideFigure: boolean;
  readonly numeric: (expression: Expression, place: ExpressionPlace, purpose: string) => Computation;
}
