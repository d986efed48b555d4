import { IsString, Length, Matches, ValidateIf } from 'class-validator';
import { planFrom, questionOf } from '../../../answering/given-plan.js';
import { AnswerView } from '../../../http/answer.wire.js';
import { answerOf, Envelope, ok, onWire } from '../../../http/envelope.wire.js';
import {
  IsIdentifier,
  OptionalFlag,
  OptionalIdentifier,
  OptionalOneOf,
  OptionalPlan,
  OptionalText,
} from '../../../http/fields.js';
import { CHART_KINDS, type ChartKind } from '../../../ports/chart-renderer.js';
import type { ConversationId, DatasourceId, MessageId } from '../../../shared/ids.js';
import { type GivenOpinion, type Rating, RATINGS } from '../../verified/verified.facade.js';
import type { OpinionOnAnswer } from '../history/history.service.js';
import type { ChatRequest } from './begun-answer.js';
import type { StoppedAnswer } from './stop.service.js';

/** Characters of a question. */
export const LONGEST_MESSAGE = 8000;

export class ChatStreamBody {
  @IsIdentifier() readonly conversation_id!: ConversationId;

  /** The question, 1 to 8,000 characters. Needed where there is no `plan`, and unused where there is one. */
  @ValidateIf(({ plan }: ChatStreamBody) => plan == null)
  @Matches(/\S/, { message: 'message must not be blank' })
  @Length(1, LONGEST_MESSAGE)
  @IsString()
  readonly message?: string;

  /**
   * Asked instead of a question, without a model: a plan as `understood` of an answer has it, changed or not. The question that the
   * conversation shows is the plan in words.
   */
  @OptionalPlan() readonly plan?: Record<string, unknown> | null;
  /** With `plan`: which datasource of the conversation it is about, as `datasource_id` of an answer says; left out: the main one. */
  @OptionalIdentifier() readonly datasource_id?: DatasourceId | null;
  /** With `plan`: the kind of chart. Where the answer can't be drawn so, it says why. */
  @OptionalOneOf(CHART_KINDS) readonly chart?: ChartKind | null;
  /** Neither the question nor the answer is kept. */
  @OptionalFlag() readonly skip_save_history?: boolean;
  /** This answer comes from context files alone. */
  @OptionalFlag() readonly context_only?: boolean;
}

export class ChatBody extends ChatStreamBody {
  /** Accepted and unused. */
  @OptionalFlag() readonly skip_history?: boolean;
}

export class ChatResponse extends answerOf({ response: AnswerView }) {}

export class ChatStreamResponse extends Envelope {
  /** Names the stream: a room of the WebSocket, and the answer in the history. */
  readonly message_id!: string;
}

export class StopChatBody {
  @IsIdentifier() readonly conversation_id!: ConversationId;
}

export class StopChatResponse extends Envelope {
  /** Whether an answer was running and was ended by this. False also when it came to its end by itself at this moment. */
  readonly stopped!: boolean;
  /** The answer that was running; null when none was. */
  readonly message_id!: string | null;
  /** `ready`, or `loading` for the moment until whoever works on the answer has heard of it. */
  readonly status!: string;
}

export function stoppedResponse({ stopped, messageId, status }: StoppedAnswer): StopChatResponse {
  const message = messageId === null ? 'no assistant response is running' : 'assistant response stopped';
  return ok(message, { stopped, message_id: messageId, status });
}

/** @throws AppError `invalid_input` when the plan is none. */
export function chatRequestFrom(body: ChatStreamBody): ChatRequest {
  const { plan: told, chart = null, message = '', datasource_id: datasourceId = null } = body;
  const given = told == null ? null : { plan: planFrom(told), chart, datasourceId };
  return {
    conversationId: body.conversation_id,
    message: given === null ? message : questionOf(given.plan),
    given,
    skipSaveHistory: body.skip_save_history ?? false,
    contextOnly: body.context_only ?? false,
  };
}

export class FeedbackBody {
  @IsIdentifier() readonly conversation_id!: ConversationId;
  /** An answer of the conversation. */
  @IsIdentifier() readonly message_id!: MessageId;
  /** Null, or left out: neither. */
  @OptionalOneOf(RATINGS) readonly rating?: Rating | null;
  /** What would be right, in words. Left out: nothing is said. */
  @OptionalText(0, 2000) readonly correction?: string | null;
}

export class OpinionView {
  readonly message_id!: string;
  readonly rating!: Rating | null;
  readonly correction!: string;
}

export class FeedbackResponse extends Envelope {
  /** Of the answers of a conversation that have any. */
  readonly feedback!: OpinionView[];
}

export function opinionFrom(body: FeedbackBody): OpinionOnAnswer {
  return {
    conversationId: body.conversation_id,
    messageId: body.message_id,
    rating: body.rating ?? null,
    correction: body.correction?.trim() ?? '',
  };
}

export function opinionView(opinion: GivenOpinion): OpinionView {
  return onWire(opinion, 'messageId', 'rating', 'correction');
}
