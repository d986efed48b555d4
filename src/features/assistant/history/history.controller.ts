import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { KeyScope } from '../../../http/api-keys.js';
import { NOTEBOOK, notebookFile } from '../../../http/attachment.js';
import { CurrentUser } from '../../../http/current-user.js';
import { ok } from '../../../http/envelope.js';
import { IdPipe, OptionalIdPipe } from '../../../http/id.pipe.js';
import type { ConversationId, MessageId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { HistoryService } from './history.service.js';
import { HistoryResponse, messageView } from './history.wire.js';

@ApiTags('Conversations')
@Access('user')
@KeyScope('read', 'ask')
@Controller('secure/assistant/history')
export class HistoryController {
  constructor(private readonly history: HistoryService) {}

  /** The last 20 messages of a conversation, or the 20 before a message, oldest first. `has_more` is true when 20 are given. */
  @Get()
  @ApiQuery({ name: 'conversation_id', type: String })
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
  @ApiQuery({ name: 'conversation_id', type: String })
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
