import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { KeyScope } from '../../../http/api-keys.js';
import { CurrentUser } from '../../../http/current-user.js';
import { ok } from '../../../http/envelope.js';
import { Envelope } from '../../../http/envelope.wire.js';
import { IdPipe } from '../../../http/id.pipe.js';
import type { ConversationId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { FeedbackService } from './feedback.service.js';
import { FeedbackBody, FeedbackResponse, opinionFrom, opinionView } from './feedback.wire.js';

@ApiTags('Answers')
@Access('user')
@KeyScope('ask')
@Controller('secure/assistant/feedback')
export class FeedbackController {
  constructor(private readonly feedback: FeedbackService) {}

  /** Says whether an answer was good, or what would be right. Managers see question, answer and opinion; without an opinion it is taken back. */
  @Post()
  @HttpCode(200)
  async rate(@CurrentUser() user: Principal, @Body() body: FeedbackBody): Promise<Envelope> {
    await this.feedback.rate(user, opinionFrom(body));
    return ok('feedback kept');
  }

  /** What was said of the answers of a conversation. It is the caller's own. */
  @Get()
  @KeyScope('read', 'ask')
  @ApiQuery({ name: 'conversation_id', type: String })
  async given(
    @CurrentUser() user: Principal,
    @Query('conversation_id', IdPipe) id: ConversationId,
  ): Promise<FeedbackResponse> {
    return ok('feedback retrieved', { feedback: (await this.feedback.given(user, id)).map(opinionView) });
  }
}
