import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { Envelope } from '../../../http/envelope.wire.js';
import { IsIdentifier } from '../../../http/is-identifier.js';
import { asId } from '../../../shared/ids.js';
import { type GivenOpinion, type Rating, RATINGS } from '../../verified/verified.facade.js';
import type { OpinionOnAnswer } from './feedback.service.js';

export class FeedbackBody {
  @IsIdentifier()
  readonly conversation_id!: string;

  /** An answer of the conversation. */
  @IsIdentifier()
  readonly message_id!: string;

  /** Null, or left out: neither. */
  @IsOptional()
  @IsIn(RATINGS)
  readonly rating?: Rating | null;

  /** What would be right, in words. Left out: nothing is said. */
  @IsOptional()
  @IsString()
  @MaxLength(2000)
  readonly correction?: string | null;
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
    conversationId: asId(body.conversation_id.toLowerCase()),
    messageId: asId(body.message_id.toLowerCase()),
    rating: body.rating ?? null,
    correction: body.correction?.trim() ?? '',
  };
}

export function opinionView({ messageId, rating, correction }: GivenOpinion): OpinionView {
  return { message_id: messageId, rating, correction };
}
