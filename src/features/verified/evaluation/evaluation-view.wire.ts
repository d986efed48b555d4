import { Envelope } from '../../../http/envelope.wire.js';
import type { Evaluation, EvaluationSchedule, EvaluationState, Outcome, Trigger } from './evaluation.schema.js';

/** What one model made of the questions. */
export class ModelSummaryView {
  /** Null: the company's own. */
  readonly model!: string | null;
  readonly right!: number;
  readonly wrong!: number;
  /** It asked back, or looked nothing up. */
  readonly refused!: number;
  /** No answer came, or there was nothing to compare it with. */
  readonly failed!: number;
  /** Of those that are not right: they were before. */
  readonly regressed!: number;
  /** Null where nobody counts. */
  readonly tokens!: number | null;
  /** Null where there are no prices. */
  readonly cost!: number | null;
  /** Of all answers together. */
  readonly ms!: number;
}

export class JudgedView {
  readonly outcome!: Outcome;
  /** Why it is not right. */
  readonly reason!: string;
  readonly regressed!: boolean;
  readonly dbquery!: string;
  readonly tokens!: number | null;
  readonly cost!: number | null;
  readonly ms!: number;
}

export class AskedQuestionView {
  readonly id!: string;
  readonly question!: string;
  /** For each model, in their order; empty until it was asked. */
  readonly judged!: JudgedView[];
}

export class EvaluationView {
  readonly id!: string;
  readonly datasource_id!: string;
  readonly trigger!: Trigger;
  readonly state!: EvaluationState;
  readonly models!: ModelSummaryView[];
  /** A description was tried that did not count. */
  readonly tries_semantics!: boolean;
  readonly total!: number;
  /** Questions that were asked. */
  readonly done!: number;
  readonly error!: string;
  readonly created_at!: string;
  readonly ended_at!: string | null;
}

export class WholeEvaluationView extends EvaluationView {
  readonly questions!: AskedQuestionView[];
}

export class EvaluationResponse extends Envelope {
  readonly evaluation!: WholeEvaluationView;
}

export class EvaluationScheduleView {
  readonly interval!: number;
  readonly enabled!: boolean;
  readonly next_run_at!: string | null;
}

export class EvaluationsResponse extends Envelope {
  /** The last 20, newest first. */
  readonly evaluations!: EvaluationView[];
  /** Null as long as there was none. */
  readonly schedule!: EvaluationScheduleView | null;
}

export class EvaluationScheduleResponse extends Envelope {
  readonly schedule!: EvaluationScheduleView;
}

/** No instance of a class, so that others can be made of it. */
type Fields = { readonly [K in keyof EvaluationView]: EvaluationView[K] };

export function evaluationView(run: Evaluation): Fields {
  return {
    id: run.id,
    datasource_id: run.datasourceId,
    trigger: run.trigger,
    state: run.state,
    models: summariesOf(run),
    tries_semantics: run.semantics !== null,
    total: run.questions.length,
    done: run.questions.filter(({ judged }) => judged.length > 0).length,
    error: run.error,
    created_at: run.createdAt.toISOString(),
    ended_at: run.endedAt?.toISOString() ?? null,
  };
}

export function wholeEvaluationView(run: Evaluation): WholeEvaluationView {
  return {
    ...evaluationView(run),
    questions: run.questions.map(({ id, question, judged }) => ({ id, question, judged: [...judged] })),
  };
}

export function scheduleView({ interval, enabled, nextRunAt }: EvaluationSchedule): EvaluationScheduleView {
  return { interval, enabled, next_run_at: nextRunAt?.toISOString() ?? null };
}

export function summariesOf({ models, questions }: Pick<Evaluation, 'models' | 'questions'>): ModelSummaryView[] {
  return models.map((model, place) => {
    const judged = questions.flatMap((question) => question.judged[place] ?? []);
    const count = (outcome: Outcome): number => judged.filter((one) => one.outcome === outcome).length;
    return {
      model,
      right: count('right'),
      wrong: count('wrong'),
      refused: count('refused'),
      failed: count('failed'),
      regressed: judged.filter(({ regressed }) => regressed).length,
      tokens: sumOf(judged.map(({ tokens }) => tokens)),
      cost: sumOf(judged.map(({ cost }) => cost)),
      ms: judged.reduce((sum, { ms }) => sum + ms, 0),
    };
  });
}

/** `null` where nobody has counted anything. */
function sumOf(values: readonly (number | null)[]): number | null {
  const counted = values.filter((value) => value !== null);
  return counted.length === 0 ? null : counted.reduce((sum, value) => sum + value, 0);
}
