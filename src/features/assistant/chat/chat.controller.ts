import { Body, Controller, Get, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ChartImages } from '../../../answering/chart-images.js';
import { understoodOf } from '../../../answering/understood.js';
import { Access, KeyScope, PostOk } from '../../../http/access.js';
import { answerView, ChartResponse } from '../../../http/answer.wire.js';
import { ClientGone, CurrentUser, IdPipe } from '../../../http/parameters.js';
import { Envelope, ok } from '../../../http/envelope.wire.js';
import type { ConversationId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { noSuchImage } from '../assistant.errors.js';
import { HistoryService } from '../history/history.service.js';
import { ChatService } from './chat.service.js';
import {
  ChatBody,
  ChatResponse,
  ChatStreamBody,
  ChatStreamResponse,
  FeedbackBody,
  FeedbackResponse,
  StopChatBody,
  StopChatResponse,
  chatRequestFrom,
  opinionFrom,
  opinionView,
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
  @PostOk('chat')
  async chat(
    @CurrentUser() user: Principal,
    @Body() body: ChatBody,
    @ClientGone() gone: AbortSignal,
  ): Promise<ChatResponse> {
    const { answer, plan } = await this.chats.ask(user, chatRequestFrom(body), gone);
    return ok('assistant response retrieved', { response: answerView(answer, understoodOf(plan, answer)) });
  }

  /** Accepts a question, or a plan without words. Its answer arrives over the WebSocket. */
  @PostOk('chatstream')
  async chatStream(@CurrentUser() user: Principal, @Body() body: ChatStreamBody): Promise<ChatStreamResponse> {
    const messageId = await this.chats.stream(user, chatRequestFrom(body));
    return ok('assistant message stream started', { message_id: messageId });
  }

  /** Ends the running answer of a conversation and keeps what was written so far. Nothing happens when none is running. */
  @PostOk('stop')
  async stop(@CurrentUser() user: Principal, @Body() body: StopChatBody): Promise<StopChatResponse> {
    return stoppedResponse(await this.stops.stop(user, body.conversation_id));
  }
}

@ApiTags('Answers')
@Access('user')
@KeyScope('ask')
@Controller('secure/assistant/feedback')
export class FeedbackController {
  constructor(private readonly history: HistoryService) {}

  /** Says whether an answer was good, or what would be right. Managers see question, answer and opinion; without an opinion it is taken back. */
  @PostOk()
  async rate(@CurrentUser() user: Principal, @Body() body: FeedbackBody): Promise<Envelope> {
    await this.history.rate(user, opinionFrom(body));
    return ok('feedback kept');
  }

  /** What was said of the answers of a conversation. It is the caller's own. */
  @Get()
  @KeyScope('read', 'ask')
  async given(
    @CurrentUser() user: Principal,
    @Query('conversation_id', IdPipe) id: ConversationId,
  ): Promise<FeedbackResponse> {
    return ok('feedback retrieved', { feedback: (await this.history.opinions(user, id)).map(opinionView) });
  }
}

@ApiTags('Answers')
@Access('user')
@KeyScope('read', 'ask')
@Controller('secure/assistant/visualizations')
export class VisualizationController {
  constructor(private readonly charts: ChartImages) {}

  /** A chart of one of the company's answers, as PNG. Answers name it in `visualization`. */
  @Get(':filename')
  @ApiOkResponse({ content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } })
  async read(@CurrentUser() { companyId }: Principal, @Param('filename') name: string): Promise<StreamableFile> {
    const picture = await this.charts.picture(companyId, name);
    if (picture === null) throw noSuchImage();
    return new StreamableFile(picture.png, { type: 'image/png', length: picture.bytes });
  }

  /** The same chart as a Vega-Lite specification with its data. A chart of which only the picture was kept has none. */
  @Get(':filename/chart')
  async chart(@CurrentUser() { companyId }: Principal, @Param('filename') name: string): Promise<ChartResponse> {
    const chart = await this.charts.specification(companyId, name);
    if (chart === null) throw noSuchImage();
    return ok('chart retrieved', { chart });
  }
}
