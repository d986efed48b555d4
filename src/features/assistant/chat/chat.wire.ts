import { IsBoolean, IsOptional, IsString, Length } from 'class-validator';
import { AnswerView } from '../../../http/answer.wire.js';
import { Envelope } from '../../../http/envelope.wire.js';
import { IsIdentifier } from '../../../http/is-identifier.js';
import { asId } from '../../../shared/ids.js';
import type { ChatRequest } from './begun-answer.js';

const LONGEST_MESSAGE = 8000;

export class ChatStreamBody {
  @IsIdentifier()
  readonly conversation_id!: string;

  /** 1 to 8,000 characters. */
  @IsString()
  @Length(1, LONGEST_MESSAGE)
  readonly message!: string;

  /** Neither the question nor the answer is kept. */
  @IsOptional()
  @IsBoolean()
  readonly skip_save_history?: boolean;

  /** This answer comes from context files alone. */
  @IsOptional()
  @IsBoolean()
  readonly context_only?: boolean;
}

export class ChatBody extends ChatStreamBody {
  /** Accepted and unused. */
  @IsOptional()
  @IsBoolean()
  readonly skip_history?: boolean;
}

export class ChatResponse extends Envelope {
  readonly response!: AnswerView;
}

export class ChatStreamResponse extends Envelope {
  /** Names the stream: a room of the WebSocket, and the answer in the history. */
  readonly message_id!: string;
}

export function chatRequestFrom(body: ChatStreamBody): ChatRequest {
  return {
    conversationId: asId(body.conversation_id.toLowerCase()),
    message: body.message,
    skipSaveHistory: body.skip_save_history ?? false,
    contextOnly: body.context_only ?? false,
  };
}
