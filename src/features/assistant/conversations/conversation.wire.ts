import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsOptional, ValidateIf } from 'class-validator';
import { understoodOf } from '../../../answering/understood.js';
import { type AnswerView, answerView } from '../../../http/answer.wire.js';
import { answerOf, Envelope, onWire } from '../../../http/envelope.wire.js';
import { IsIdentifier, OptionalFlag, OptionalIdentifier, Name } from '../../../http/fields.js';
import { AppError } from '../../../shared/app-error.js';
import type { ConversationId, DatasourceId } from '../../../shared/ids.js';
import { idsFrom, MOST_TOGETHER } from '../../datasource/joinable-tables.facade.js';
import type { Message } from '../history/message.schema.js';
import type { ConversationEdit } from './conversation.schema.js';
import type { ConversationDraft, NamedConversation } from './conversation.service.js';

const SeveralDatasources = (): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(MOST_TOGETHER),
    IsIdentifier({ each: true, message: 'datasource_ids must be valid identifiers' }),
  );

export class CreateConversationBody {
  /** Not empty, at most 200 characters. */
  @Name(200) readonly title!: string;

  /** What it asks. Needed where there are no `datasource_ids`. */
  @ValidateIf(({ datasource_ids: several }: CreateConversationBody) => several == null)
  @IsIdentifier()
  readonly datasource_id?: DatasourceId;

  /** Up to five, which are asked together. The first is the main one, and `datasource_id` if that is sent, too. */
  @SeveralDatasources() readonly datasource_ids?: DatasourceId[];
  /** Answers come from context files alone. */
  @OptionalFlag() readonly context_only?: boolean;
}

export class EditConversationBody {
  @IsIdentifier() readonly id!: ConversationId;
  /** Not empty, at most 200 characters; left out: stays as it is, like every field here. */
  @IsOptional() @Name(200) readonly title?: string;
  /** Another datasource of the company; refused while an answer is being made. */
  @OptionalIdentifier() readonly datasource_id?: DatasourceId;
  /** Up to five, which are asked together, the main one first. */
  @SeveralDatasources() readonly datasource_ids?: DatasourceId[];
  @OptionalFlag() readonly pinned?: boolean;
  /** Answers come from context files alone. */
  @OptionalFlag() readonly context_only?: boolean;
}

export class DeleteConversationBody {
  @IsIdentifier() readonly id!: ConversationId;
  /** True: it does not go to the bin. */
  @OptionalFlag() readonly permanent?: boolean;
}

export class AskedDatasourceView {
  readonly id!: string;
  readonly name!: string;
}

export class ConversationView {
  readonly _id!: string;
  readonly title!: string;
  readonly datasource_id!: string;
  /** Empty when the datasource is gone. */
  readonly datasource_name!: string;
  /** All that it asks, the main one first, without those that are gone. */
  readonly datasources!: AskedDatasourceView[];
  /** ready or loading. */
  readonly status!: string;
  readonly pinned!: boolean;
  readonly context_only!: boolean;
  readonly last_message_at!: string | null;
  readonly created_at!: string;
  readonly updated_at!: string;
}

export class ConversationCreatedResponse extends answerOf({ id: String }) {}
export class ConversationResponse extends answerOf({ conversation: ConversationView }) {}
export class ConversationsResponse extends answerOf({ conversations: [ConversationView], total: Number }) {}

export function conversationDraftFrom(body: CreateConversationBody): ConversationDraft {
  return { title: body.title, datasourceIds: askedBy(body), contextOnly: body.context_only ?? false };
}

export function conversationEditFrom(body: EditConversationBody): ConversationEdit {
  const isSent = body.datasource_id != null || body.datasource_ids != null;
  return {
    title: body.title ?? null,
    datasourceIds: isSent ? askedBy(body) : null,
    namesMain: body.datasource_ids == null,
    pinned: body.pinned ?? null,
    contextOnly: body.context_only ?? null,
  };
}

/** @throws AppError `invalid_input` when there is none, or the one that is sent alone is not the first. */
function askedBy(
  body: Pick<CreateConversationBody, 'datasource_id' | 'datasource_ids'>,
): readonly [DatasourceId, ...DatasourceId[]] {
  const several = body.datasource_ids ?? [];
  const main = body.datasource_id ?? several[0];
  if (main === undefined) throw new AppError('invalid_input', 'datasource_id is required');
  if (several.length > 0 && several[0] !== main)
    throw new AppError('invalid_input', 'datasource_id must be the first of datasource_ids');
  return idsFrom(main, several);
}

export function conversationView({ conversation, asked }: NamedConversation): ConversationView {
  return {
    ...onWire(conversation, 'title', 'datasourceId', 'status', 'pinned', 'contextOnly'),
    ...onWire(conversation, 'lastMessageAt', 'createdAt', 'updatedAt'),
    _id: conversation.id,
    datasource_name: asked.find(({ id }) => id === conversation.datasourceId)?.name ?? '',
    datasources: asked.map((one) => onWire(one, 'id', 'name')),
  };
}

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

export function messageView({ id, response, plan, ...message }: Message): MessageView {
  return {
    _id: id,
    ...onWire(message, 'conversationId', 'role', 'message', 'createdAt'),
    ...(response === null ? {} : { response: answerView(response, understoodOf(plan, response)) }),
  };
}

export class SuggestionsResponse extends Envelope {
  /** A JSON-encoded array of 4 to 6 texts; of fewer where the table has no more to ask about, of none where there are no rows to ask. */
  readonly suggested_questions!: string;
}
