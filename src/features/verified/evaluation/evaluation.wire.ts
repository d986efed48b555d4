import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMinSize } from 'class-validator';
import {
  IsIdentifier,
  OptionalFlag,
  OptionalPart,
  OptionalText,
  OptionalTexts,
  WholeNumber,
} from '../../../http/fields.js';
import type { DatasourceId } from '../../../shared/ids.js';
import { SemanticsBody, writtenFrom, type WrittenSemantics } from '../../datasource/datasource-reading.facade.js';
import { answerOf, Envelope, onWire } from '../../../http/envelope.wire.js';
import type {
  Evaluation,
  EvaluationId,
  EvaluationSchedule,
  EvaluationState,
  Outcome,
  Trigger,
} from './evaluation.schema.js';

const MAX_MODEL = 200;
const SHORTEST = 15;
/** A week, in minutes. */
const LONGEST = 10_080;

export class RunEvaluationBody {
  /** The datasource. */
  @IsIdentifier() readonly id!: DatasourceId;
  /** A model that is tried. Left out: the company's own. */
  @OptionalText(0, MAX_MODEL) readonly model?: string;
  /** Instead of `model`: two models side by side. An empty name stands for the company's own. */
  @ArrayMinSize(1) @OptionalTexts(2, [0, MAX_MODEL]) readonly models?: string[];

  /** A description of the table that is tried before it is written, as a PUT of it takes it. Left out: the one that counts. */
  @OptionalPart(() => SemanticsBody)
  @ApiPropertyOptional({ type: () => SemanticsBody })
  readonly semantics?: SemanticsBody;
}

export class EvaluationScheduleBody {
  /** The datasource. */
  @IsIdentifier() readonly id!: DatasourceId;
  /** Minutes, 15 to 10080. */
  @WholeNumber(SHORTEST, LONGEST) readonly interval!: number;
  /** False pauses it. Left out: true. */
  @OptionalFlag() readonly enabled?: boolean;
}

export class EvaluationIdBody {
  /** The evaluation. */
  @IsIdentifier() readonly id!: EvaluationId;
}

export type EvaluationRequest = Pick<Evaluation, 'datasourceId' | 'models'> & {
  readonly semantics: WrittenSemantics | null;
};

export type ScheduleRequest = Pick<EvaluationSchedule, 'datasourceId' | 'interval' | 'enabled'>;

export function evaluationRequestFrom({ id, model, models, semantics }: RunEvaluationBody): EvaluationRequest {
  const named = models ?? [model ?? ''];
  return {
    datasourceId: id,
    models: named.map((name) => (name.trim() === '' ? null : name.trim())),
    semantics: semantics == null ? null : writtenFrom(semantics),
  };
}

export function scheduleRequestFrom({ id, interval, enabled }: EvaluationScheduleBody): ScheduleRequest {
  return { datasourceId: id, interval, enabled: enabled ?? true };
}

/** What one model made of the questions. */
class ModelSummaryView {
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

class JudgedView {
  readonly outcome!: Outcome;
  /** Why it is not right. */
  readonly reason!: string;
  readonly regressed!: boolean;
  readonly dbquery!: string;
  readonly tokens!: number | null;
  readonly cost!: number | null;
  readonly ms!: number;
}

class AskedQuestionView {
  readonly id!: string;
  readonly question!: string;
  /** For each model, in their order; empty until it was asked. */
  readonly judged!: JudgedView[];
}

class EvaluationView {
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

class WholeEvaluationView extends EvaluationView {
  readonly questions!: AskedQuestionView[];
}

export class EvaluationResponse extends answerOf({ evaluation: WholeEvaluationView }) {}

class EvaluationScheduleView {
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

export class EvaluationScheduleResponse extends answerOf({ schedule: EvaluationScheduleView }) {}

export function evaluationView(run: Evaluation): Pick<EvaluationView, keyof EvaluationView> {
  return {
    ...onWire(run, 'id', 'datasourceId', 'trigger', 'state', 'error', 'createdAt', 'endedAt'),
    models: summariesOf(run),
    tries_semantics: run.semantics !== null,
    total: run.questions.length,
    done: run.questions.filter(({ judged }) => judged.length > 0).length,
  };
}

export function wholeEvaluationView(run: Evaluation): WholeEvaluationView {
  return { ...evaluationView(run), questions: run.questions.map((asked) => onWire(asked, 'id', 'question', 'judged')) };
}

export function scheduleView(schedule: EvaluationSchedule): EvaluationScheduleView {
  return onWire(schedule, 'interval', 'enabled', 'nextRunAt');
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
