import { Body, Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, PostOk } from '../../../http/access.js';
import { CurrentUser, IdPipe } from '../../../http/parameters.js';
import { ok } from '../../../http/envelope.wire.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import type { EvaluationId } from './evaluation.schema.js';
import { EvaluationScheduleService, EvaluationService } from './evaluation.service.js';
import {
  EvaluationResponse,
  EvaluationScheduleResponse,
  EvaluationsResponse,
  evaluationView,
  scheduleView,
  wholeEvaluationView,
  EvaluationIdBody,
  evaluationRequestFrom,
  EvaluationScheduleBody,
  RunEvaluationBody,
  scheduleRequestFrom,
} from './evaluation.wire.js';

@ApiTags('Evaluation')
@Access('manager')
@Controller('secure/evaluation')
export class EvaluationController {
  constructor(
    private readonly evaluations: EvaluationService,
    private readonly schedules: EvaluationScheduleService,
  ) {}

  /** Asks all verified questions of a datasource without their answers. It runs in the background; a model or a description can be tried before it counts. */
  @PostOk('run')
  async run(@CurrentUser() user: Principal, @Body() body: RunEvaluationBody): Promise<EvaluationResponse> {
    const run = await this.evaluations.start(user, evaluationRequestFrom(body));
    return ok('evaluation started', { evaluation: wholeEvaluationView(run) });
  }

  /** One evaluation, question by question. While it runs, `state` is `waiting` or `running`. */
  @Get('run/:id')
  async get(@CurrentUser() user: Principal, @Param('id', IdPipe) id: EvaluationId): Promise<EvaluationResponse> {
    return ok('evaluation retrieved', { evaluation: wholeEvaluationView(await this.evaluations.get(user, id)) });
  }

  /** Ends a running evaluation. What was asked until then stays. */
  @PostOk('stop')
  async stop(@CurrentUser() user: Principal, @Body() body: EvaluationIdBody): Promise<EvaluationResponse> {
    const run = await this.evaluations.stop(user, body.id);
    return ok('evaluation stopped', { evaluation: wholeEvaluationView(run) });
  }

  /** The last 20 evaluations of a datasource, newest first. With them comes their schedule. */
  @Get('runs')
  async list(@CurrentUser() user: Principal, @Query('id', IdPipe) id: DatasourceId): Promise<EvaluationsResponse> {
    const schedule = await this.schedules.get(user, id);
    return ok('evaluations retrieved', {
      evaluations: (await this.evaluations.list(user, id)).map(evaluationView),
      schedule: schedule === null ? null : scheduleView(schedule),
    });
  }

  /** Sets how often the questions of a datasource are asked by themselves, or pauses that. The interval is in minutes. */
  @PostOk('schedule')
  async schedule(
    @CurrentUser() user: Principal,
    @Body() body: EvaluationScheduleBody,
  ): Promise<EvaluationScheduleResponse> {
    const schedule = await this.schedules.set(user, scheduleRequestFrom(body));
    return ok('evaluation scheduled', { schedule: scheduleView(schedule) });
  }
}
