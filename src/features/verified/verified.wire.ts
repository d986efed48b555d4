import { ApiProperty } from '@nestjs/swagger';
import { planFrom } from '../../answering/given-plan.js';
import { chartFrom, ChartRequestBody } from '../../http/chart-request.wire.js';
import { answerOf, onWire } from '../../http/envelope.wire.js';
import {
  IsIdentifier,
  OptionalIdentifiers,
  OptionalOneOf,
  OptionalPart,
  OptionalPlan,
  OptionalText,
  Text,
} from '../../http/fields.js';
import type { DatasourceId } from '../../shared/ids.js';
import { said } from '../../shared/said.js';
import { MOST_TOGETHER } from '../datasource/joinable-tables.facade.js';
import { GOLDEN_STATES, type GoldenQuestion, type GoldenState, type Rating } from './golden-question.schema.js';
import type { GoldenDraft, GoldenEdit } from './verified.service.js';

const MAX_QUESTION = 2000;
const MAX_WORDING = 20_000;
const MAX_SQL = 20_000;

export class EditQuestionBody {
  /** It must stand alone: no question before it is known when it is asked. */
  @OptionalText(1, MAX_QUESTION) readonly question?: string;
  /** The answer in words, Markdown. `{column}` stands for that figure of the first row, as it is when the question is asked. */
  @OptionalText(1, MAX_WORDING) readonly wording?: string;
  /** What is asked of the rows, as `understood` of an answer has it. Either this or `sql`. */
  @OptionalPlan() readonly plan?: Record<string, unknown>;
  /** One SELECT over the table `data`, instead of `plan`. */
  @OptionalText(1, MAX_SQL) readonly sql?: string;
  /** Further datasources that `plan` or `sql` may join, along relations that are confirmed. Left out: those that the one before joined. */
  @OptionalIdentifiers(MOST_TOGETHER - 1) readonly datasource_ids?: DatasourceId[];
  /** What is drawn of the result. With another plan or other SQL nothing is, unless this says it. */
  @OptionalPart(() => ChartRequestBody) readonly chart?: ChartRequestBody;
}

export class CreateQuestionBody extends EditQuestionBody {
  @IsIdentifier() readonly datasource_id!: DatasourceId;

  @ApiProperty({ required: true })
  @Text(1, MAX_QUESTION)
  declare readonly question: string;

  @ApiProperty({ required: true })
  @Text(1, MAX_WORDING)
  declare readonly wording: string;
}

export class ChangeQuestionBody extends EditQuestionBody {
  /** `verified`: it answers this question from now on. */
  @OptionalOneOf(GOLDEN_STATES) readonly state?: GoldenState;
}

export class QuestionsParameters {
  @IsIdentifier() readonly id!: DatasourceId;
  /** Left out: `verified`. */
  @OptionalOneOf(GOLDEN_STATES) readonly state?: GoldenState;
}

export class FeedbackView {
  readonly rating!: Rating | null;
  /** What would be right, in the asker's words. */
  readonly correction!: string;
  readonly by!: string;
  readonly at!: string;
}

export class GoldenQuestionView {
  readonly id!: string;
  readonly datasource_id!: string;
  /** Those that its answer joins. */
  readonly datasource_ids!: string[];
  readonly state!: GoldenState;
  readonly question!: string;
  readonly wording!: string;
  /** What the plan or SQL finds out, in words; empty where nobody said it. */
  readonly purpose!: string;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  readonly plan!: Record<string, unknown> | null;
  readonly sql!: string | null;
  /** What its asker said of the answer; null when nobody did. */
  readonly feedback!: FeedbackView | null;
  /** Whether whoever answers has answered it so, without being told. */
  readonly was_right!: boolean;
  readonly verified_by!: string | null;
  readonly verified_at!: string | null;
  readonly created_at!: string;
  readonly updated_at!: string;
}

export class GoldenQuestionResponse extends answerOf({ question: GoldenQuestionView }) {}
export class GoldenQuestionsResponse extends answerOf({ questions: [GoldenQuestionView], total: Number }) {}

export function goldenDraftFrom(body: CreateQuestionBody): GoldenDraft {
  const { question, wording, datasource_id: datasourceId } = body;
  return { ...editFrom(body), datasourceId, question, wording };
}

/** @throws AppError `invalid_input` when the plan is none. */
export function editFrom(body: EditQuestionBody & { readonly state?: GoldenState }): GoldenEdit {
  const { state, question, wording, plan, sql, chart, datasource_ids: otherIds } = body;
  return said({
    state,
    question,
    wording,
    plan: plan && planFrom(plan),
    sql: plan == null ? sql : null,
    chart: chart && chartFrom(chart),
    otherIds,
  });
}

export function goldenView(golden: GoldenQuestion): GoldenQuestionView {
  const { feedback, plan, others = [], verifiedBy } = golden;
  return {
    ...onWire(golden, 'id', 'datasourceId', 'state', 'question', 'wording', 'purpose', 'sql', 'wasRight'),
    ...onWire(golden, 'verifiedAt', 'createdAt', 'updatedAt'),
    datasource_ids: others.map(({ id }) => id),
    plan: plan && { ...plan },
    feedback: feedback && { ...onWire(feedback, 'rating', 'correction', 'at'), by: feedback.name },
    verified_by: verifiedBy?.name ?? null,
  };
}
