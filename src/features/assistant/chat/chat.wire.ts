import { IsBoolean, IsOptional, IsString, Length } from 'class-validator';
import { AnswerView } from '../../../http/answer.wire.js';
import { ok } from '../../../http/envelope.js';
import { Envelope } from '../../../http/envelope.wire.js';
import { IsIdentifier } from '../../../http/is-identifier.js';
import { asId } from '../../../shared/ids.js';
import type { ChatRequest } from './begun-answer.js';
import type { StoppedAnswer } from './stop.service.js';

/** Characters of a question. */
export const LONGEST_MESSAGE = 8000;

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

export class StopChatBody {
  @IsIdentifier()
  readonly conversation_id!: string;
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

export function chatRequestFrom(body: ChatStreamBody): ChatRequest {
  return {
    conversationId: asId(body.conversation_id.toLowerCase()),
    message: body.message,
    skipSaveHistory: body.skip_save_history ?? false,
    contextOnly: body.context_only ?? false,
  };
}
