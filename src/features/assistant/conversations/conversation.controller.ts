import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { KeyScope } from '../../../http/api-keys.js';
import { CurrentUser } from '../../../http/current-user.js';
import { ok } from '../../../http/envelope.js';
import { Envelope } from '../../../http/envelope.wire.js';
import { IdPipe } from '../../../http/id.pipe.js';
import { RequestedPage } from '../../../http/requested-page.js';
import { asId, type ConversationId } from '../../../shared/ids.js';
import type { Page } from '../../../shared/page.js';
import type { Principal } from '../../../shared/principal.js';
import { ConversationService } from './conversation.service.js';
import {
  ConversationCreatedResponse,
  ConversationResponse,
  ConversationsResponse,
  CreateConversationBody,
  DeleteConversationBody,
  EditConversationBody,
  conversationDraftFrom,
  conversationEditFrom,
  conversationView,
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
  @ApiParam({ name: 'id', type: String })
  async get(@CurrentUser() user: Principal, @Param('id', IdPipe) id: ConversationId): Promise<ConversationResponse> {
    return ok('conversation retrieved', { conversation: conversationView(await this.conversations.get(user, id)) });
  }

  /** Opens a conversation about a datasource. With `context_only`, its answers come from the context files alone. */
  @Post('conversation')
  @HttpCode(200)
  async create(
    @CurrentUser() user: Principal,
    @Body() body: CreateConversationBody,
  ): Promise<ConversationCreatedResponse> {
    return ok('conversation created', { id: await this.conversations.create(user, conversationDraftFrom(body)) });
  }

  /** Changes the fields that are sent. Its place among the pinned, or among the others, stays. */
  @Put('conversation')
  async edit(@CurrentUser() user: Principal, @Body() body: EditConversationBody): Promise<ConversationResponse> {
    const edited = await this.conversations.edit(user, asId(body.id.toLowerCase()), conversationEditFrom(body));
    return ok('conversation updated', { conversation: conversationView(edited) });
  }

  /** Deletes a conversation with its messages and images. It can be restored for 30 days unless `permanent` is sent. */
  @Delete('conversation')
  async delete(@CurrentUser() user: Principal, @Body() body: DeleteConversationBody): Promise<Envelope> {
    await this.conversations.delete(user, asId(body.id.toLowerCase()), body.permanent === true);
    return ok('conversation deleted');
  }
}
