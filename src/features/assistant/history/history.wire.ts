import { understoodOf } from '../../../answering/understood.js';
import { type AnswerView, answerView } from '../../../http/answer.wire.js';
import { Envelope } from '../../../http/envelope.wire.js';
import type { Message } from './message.schema.js';

export class MessageView {
  readonly _id!: string;
  readonly conversation_id!: string;
  /** user or assistant. */
  readonly role!: string;
  readonly message!: string;
  /** The assistant's alone. */
  readonly response?: AnswerView;
  readonly created_at!: string;
}

export class HistoryResponse extends Envelope {
  /** Up to 20 messages, oldest first. */
  readonly history!: MessageView[];
  /** True when exactly 20 messages came: there may be more before them. */
  readonly has_more!: boolean;
}

export function messageView(message: Message): MessageView {
  return {
    _id: message.id,
    conversation_id: message.conversationId,
    role: message.role,
    message: message.message,
    ...(message.response === null
      ? {}
      : { response: answerView(message.response, understoodOf(message.plan, message.response)) }),
    created_at: message.createdAt.toISOString(),
  };
}
