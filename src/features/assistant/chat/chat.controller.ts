import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { understoodOf } from '../../../answering/understood.js';
import { Access } from '../../../http/access.js';
import { KeyScope } from '../../../http/api-keys.js';
import { answerView } from '../../../http/answer.wire.js';
import { ClientGone } from '../../../http/client-gone.js';
import { CurrentUser } from '../../../http/current-user.js';
import { ok } from '../../../http/envelope.js';
import { asId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { ChatService } from './chat.service.js';
import {
  ChatBody,
  ChatResponse,
  ChatStreamBody,
  ChatStreamResponse,
  StopChatBody,
  StopChatResponse,
  chatRequestFrom,
  stoppedResponse,
} from './chat.wire.js';
import { StopService } from './stop.service.js';

@ApiTags('Answers')
@Access('user')
@KeyScope('ask')
@Controller('secure/assistant')
export class ChatController {
  constructor(
    private readonly chats: ChatService,
    private readonly stops: StopService,
  ) {}

  /** Answers a question, or a plan without words. This takes up to two minutes. */
  @Post('chat')
  @HttpCode(200)
  async chat(
    @CurrentUser() user: Principal,
    @Body() body: ChatBody,
    @ClientGone() gone: AbortSignal,
  ): Promise<ChatResponse> {
    const { answer, plan } = await this.chats.ask(user, chatRequestFrom(body), gone);
    return ok('assistant response retrieved', { response: answerView(answer, understoodOf(plan, answer)) });
  }

  /** Accepts a question, or a plan without words. Its answer arrives over the WebSocket. */
  @Post('chatstream')
  @HttpCode(200)
  async chatStream(@CurrentUser() user: Principal, @Body() body: ChatStreamBody): Promise<ChatStreamResponse> {
    const messageId = await this.chats.stream(user, chatRequestFrom(body));
    return ok('assistant message stream started', { message_id: messageId });
  }

  /** Ends the running answer of a conversation and keeps what was written so far. Nothing happens when none is running. */
  @Post('stop')
  @HttpCode(200)
  async stop(@CurrentUser() user: Principal, @Body() body: StopChatBody): Promise<StopChatResponse> {
    return stoppedResponse(await this.stops.stop(user, asId(body.conversation_id.toLowerCase())));
  }
}
