import { Body, Controller, Delete, Get, Param, Put, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Access, KeyScope, PostOk } from '../../../http/access.js';
import { NOTEBOOK, notebookFile } from '../../../http/attachment.js';
import { CurrentUser, IdPipe, OptionalIdPipe, RequestedPage } from '../../../http/parameters.js';
import { Envelope, ok } from '../../../http/envelope.wire.js';
import type { ConversationId, MessageId } from '../../../shared/ids.js';
import type { Page } from '../../../shared/page.js';
import type { Principal } from '../../../shared/principal.js';
import { HistoryService } from '../history/history.service.js';
import { SuggestionsService } from '../suggestions/suggestions.service.js';
import { ConversationService } from './conversation.service.js';
import {
  ConversationCreatedResponse,
  ConversationResponse,
  ConversationsResponse,
  CreateConversationBody,
  DeleteConversationBody,
  EditConversationBody,
  HistoryResponse,
  SuggestionsResponse,
  conversationDraftFrom,
  conversationEditFrom,
  conversationView,
  messageView,
} from './conversation.wire.js';

@ApiTags('Conversations')
@Access('user')
@KeyScope('ask')
@Controller('secure/assistant')
export class ConversationController {
  constructor(private readonly conversations: ConversationService) {}

  /** The caller's own conversations, pinned first, then newest. `total` counts those on all pages. */
  @Get('conversations')
  @KeyScope('read', 'ask')
  async list(@CurrentUser() user: Principal, @RequestedPage() page: Page): Promise<ConversationsResponse> {
    const { entries, total } = await this.conversations.list(user, page);
    return ok('conversations retrieved', { conversations: entries.map(conversationView), total });
  }

  /** One of the caller's own conversations. `status` is `loading` while an answer is made. */
  @Get('conversation/:id')
  @KeyScope('read', 'ask')
  async get(@CurrentUser() user: Principal, @Param('id', IdPipe) id: ConversationId): Promise<ConversationResponse> {
    return ok('conversation retrieved', { conversation: conversationView(await this.conversations.get(user, id)) });
  }

  /** Opens a conversation about a datasource. With `context_only`, its answers come from the context files alone. */
  @PostOk('conversation')
  async create(
    @CurrentUser() user: Principal,
    @Body() body: CreateConversationBody,
  ): Promise<ConversationCreatedResponse> {
    return ok('conversation created', { id: await this.conversations.create(user, conversationDraftFrom(body)) });
  }

  /** Changes the fields that are sent. Its place among the pinned, or among the others, stays. */
  @Put('conversation')
  async edit(@CurrentUser() user: Principal, @Body() body: EditConversationBody): Promise<ConversationResponse> {
    const edited = await this.conversations.edit(user, body.id, conversationEditFrom(body));
    return ok('conversation updated', { conversation: conversationView(edited) });
  }

  /** Deletes a conversation with its messages and images. It can be restored for 30 days unless `permanent` is sent. */
  @Delete('conversation')
  async delete(@CurrentUser() user: Principal, @Body() body: DeleteConversationBody): Promise<Envelope> {
    await this.conversations.delete(user, body.id, body.permanent === true);
    return ok('conversation deleted');
  }
}

@ApiTags('Conversations')
@Access('user')
@KeyScope('read', 'ask')
@Controller('secure/assistant/history')
export class HistoryController {
  constructor(private readonly history: HistoryService) {}

  /** The last 20 messages of a conversation, or the 20 before a message, oldest first. `has_more` is true when 20 are given. */
  @Get()
  @ApiQuery({ name: 'before', required: false, type: String })
  async read(
    @CurrentUser() user: Principal,
    @Query('conversation_id', IdPipe) conversationId: ConversationId,
    @Query('before', OptionalIdPipe) before: MessageId | null,
  ): Promise<HistoryResponse> {
    const { messages, hasMore } = await this.history.read(user, conversationId, before);
    return ok('conversation history retrieved', { history: messages.map(messageView), has_more: hasMore });
  }

  /** An answer with its question, query, figures and chart as a Jupyter notebook. Without `message_id`, the conversation's last 50 answers. */
  @Get('notebook')
  @ApiQuery({ name: 'message_id', required: false, type: String })
  @ApiOkResponse(NOTEBOOK)
  async notebook(
    @CurrentUser() user: Principal,
    @Query('conversation_id', IdPipe) conversationId: ConversationId,
    @Query('message_id', OptionalIdPipe) messageId: MessageId | null,
  ): Promise<StreamableFile> {
    const { title, notebook } = await this.history.notebook(user, conversationId, messageId);
    return notebookFile(title, notebook);
  }
}

@ApiTags('Conversations')
@Access('user')
@KeyScope('read', 'ask')
@Controller('secure/assistant/suggestionsquery')
export class SuggestionsController {
  constructor(private readonly suggestions: SuggestionsService) {}

  /** Questions that can be answered on the conversation's datasource. They are a JSON array in a string. */
  @Get()
  async read(
    @CurrentUser() user: Principal,
    @Query('conversation_id', IdPipe) id: ConversationId,
  ): Promise<SuggestionsResponse> {
    const questions = await this.suggestions.read(user, id);
    return ok('suggestions query retrieved', { suggested_questions: JSON.stringify(questions) });
  }

  /** Thinks of other questions. A `suggestions-updated` frame tells when they are there. */
  @Get('reload')
  @KeyScope('ask')
  async reload(
    @CurrentUser() user: Principal,
    @Query('conversation_id', IdPipe) id: ConversationId,
  ): Promise<Envelope> {
    await this.suggestions.reload(user, id);
    return ok('suggestions reloading started');
  }
}
