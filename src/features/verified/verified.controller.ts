import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, PostOk } from '../../http/access.js';
import { CurrentUser, IdPipe, RequestedPage } from '../../http/parameters.js';
import { Envelope, ok } from '../../http/envelope.wire.js';
import type { Page } from '../../shared/page.js';
import type { Principal } from '../../shared/principal.js';
import type { GoldenQuestionId } from './golden-question.schema.js';
import { VerifiedService } from './verified.service.js';
import {
  ChangeQuestionBody,
  CreateQuestionBody,
  editFrom,
  goldenDraftFrom,
  GoldenQuestionResponse,
  GoldenQuestionsResponse,
  goldenView,
  QuestionsParameters,
} from './verified.wire.js';

@ApiTags('Evaluation')
@Access('manager')
@Controller('secure/verified')
export class VerifiedController {
  constructor(private readonly verified: VerifiedService) {}

  /** The verified questions of a datasource, its candidates, or those that were rejected, last changed first. Answers that were rated are candidates. */
  @Get()
  async list(
    @CurrentUser() user: Principal,
    @Query() { id, state = 'verified' }: QuestionsParameters,
    @RequestedPage() page: Page,
  ): Promise<GoldenQuestionsResponse> {
    const { entries, total } = await this.verified.list(user, id, state, page);
    return ok('verified questions retrieved', { questions: entries.map(goldenView), total });
  }

  /** Verifies a question with its answer. It is run before it is kept; from then on it answers the question. */
  @PostOk()
  async create(@CurrentUser() user: Principal, @Body() body: CreateQuestionBody): Promise<GoldenQuestionResponse> {
    return ok('question verified', { question: goldenView(await this.verified.create(user, goldenDraftFrom(body))) });
  }

  /** Verifies, corrects or rejects a question. What is left out stays as it is. */
  @Patch(':id')
  async change(
    @CurrentUser() user: Principal,
    @Param('id', IdPipe) id: GoldenQuestionId,
    @Body() body: ChangeQuestionBody,
  ): Promise<GoldenQuestionResponse> {
    return ok('question updated', { question: goldenView(await this.verified.change(user, id, editFrom(body))) });
  }

  /** Removes a question and its answer. Answers that were given with it stay in their conversations. */
  @Delete(':id')
  async remove(@CurrentUser() user: Principal, @Param('id', IdPipe) id: GoldenQuestionId): Promise<Envelope> {
    await this.verified.remove(user, id);
    return ok('question removed');
  }
}
