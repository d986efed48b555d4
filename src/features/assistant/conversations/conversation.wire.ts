import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional, IsString, Length } from 'class-validator';
import { Envelope } from '../../../http/envelope.wire.js';
import { IsIdentifier } from '../../../http/is-identifier.js';
import { asId } from '../../../shared/ids.js';
import type { ConversationEdit } from './conversation.schema.js';
import type { ConversationDraft, NamedConversation } from './conversation.service.js';

const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);

export class CreateConversationBody {
  /** Not empty, at most 200 characters. */
  @Transform(trimmed)
  @IsString()
  @Length(1, 200, { message: 'title must have 1 to 200 characters' })
  readonly title!: string;

  @IsIdentifier()
  readonly datasource_id!: string;

  /** Answers come from context files alone. */
  @IsOptional()
  @IsBoolean()
  readonly context_only?: boolean;
}

export class EditConversationBody {
  @IsIdentifier()
  readonly id!: string;

  /** Not empty, at most 200 characters; left out: stays as it is, like every field here. */
  @IsOptional()
  @Transform(trimmed)
  @IsString()
  @Length(1, 200, { message: 'title must have 1 to 200 characters' })
  readonly title?: string;

  /** Another datasource of the company; refused while an answer is being made. */
  @IsOptional()
  @IsIdentifier()
  readonly datasource_id?: string;

  @IsOptional()
  @IsBoolean()
  readonly pinned?: boolean;

  /** Answers come from context files alone. */
  @IsOptional()
  @IsBoolean()
  readonly context_only?: boolean;
}

export class ConversationIdBody {
  @IsIdentifier()
  readonly id!: string;
}

export class ConversationView {
  readonly _id!: string;
  readonly title!: string;
  readonly datasource_id!: string;
  /** Empty when the datasource is gone. */
  readonly datasource_name!: string;
  /** ready or loading. */
  readonly status!: string;
  readonly pinned!: boolean;
  readonly context_only!: boolean;
  readonly last_message_at!: string | null;
  readonly created_at!: string;
  readonly updated_at!: string;
}

export class ConversationCreatedResponse extends Envelope {
  readonly id!: string;
}

export class ConversationResponse extends Envelope {
  readonly conversation!: ConversationView;
}

export class ConversationsResponse extends Envelope {
  readonly conversations!: ConversationView[];
  readonly total!: number;
}

export function conversationDraftFrom(body: CreateConversationBody): ConversationDraft {
  return {
    title: body.title,
    datasourceId: asId(body.datasource_id.toLowerCase()),
    contextOnly: body.context_only ?? false,
  };
}

export function conversationEditFrom(body: EditConversationBody): ConversationEdit {
  const datasourceId = body.datasource_id?.toLowerCase();
  return {
    title: body.title ?? null,
    datasourceId: datasourceId === undefined ? null : asId(datasourceId),
    pinned: body.pinned ?? null,
    contextOnly: body.context_only ?? null,
  };
}

export function conversationView({ conversation, datasourceName }: NamedConversation): ConversationView {
  return {
    _id: conversation.id,
    title: conversation.title,
    datasource_id: conversation.datasourceId,
    datasource_name: datasourceName,
    status: conversation.status,
    pinned: conversation.pinned,
    context_only: conversation.contextOnly,
    last_message_at: conversation.lastMessageAt?.toISOString() ?? null,
    created_at: conversation.createdAt.toISOString(),
    updated_at: conversation.updatedAt.toISOString(),
  };
}
