import { Controller, Get, Query } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { KeyScope } from '../../../http/api-keys.js';
import { CurrentUser } from '../../../http/current-user.js';
import { ok } from '../../../http/envelope.js';
import { Envelope } from '../../../http/envelope.wire.js';
import { IdPipe } from '../../../http/id.pipe.js';
import type { ConversationId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { SuggestionsService } from './suggestions.service.js';
import { SuggestionsResponse, suggestionsView } from './suggestions.wire.js';

@ApiTags('Conversations')
@Access('user')
@KeyScope('read', 'ask')
@Controller('secure/assistant/suggestionsquery')
export class SuggestionsController {
  constructor(private readonly suggestions: SuggestionsService) {}

  /** Questions that can be answered on the conversation's datasource. They are a JSON array in a string. */
  @Get()
  @ApiQuery({ name: 'conversation_id', type: String })
  async read(
    @CurrentUser() user: Principal,
    @Query('conversation_id', IdPipe) id: ConversationId,
  ): Promise<SuggestionsResponse> {
    return ok('suggestions query retrieved', suggestionsView(await this.suggestions.read(user, id)));
  }

  /** Thinks of other questions. A `suggestions-updated` frame tells when they are there. */
  @Get('reload')
  @KeyScope('ask')
  @ApiQuery({ name: 'conversation_id', type: String })
  async reload(
    @CurrentUser() user: Principal,
    @Query('conversation_id', IdPipe) id: ConversationId,
  ): Promise<Envelope> {
    await this.suggestions.reload(user, id);
    return ok('suggestions reloading started');
  }
}
