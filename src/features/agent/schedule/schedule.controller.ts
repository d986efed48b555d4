import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { CurrentUser } from '../../../http/current-user.js';
import { ok } from '../../../http/envelope.js';
import type { Principal } from '../../../shared/principal.js';
import { TaskReader } from '../tasks/task-reader.js';
import { TaskResponse, taskView, ScheduleBody, scheduleFrom } from '../tasks/task.wire.js';
import { ScheduleService } from './schedule.service.js';

@ApiTags('Agent tasks')
@Access('user')
@Controller('secure/agent/task')
export class ScheduleController {
  constructor(
    private readonly schedules: ScheduleService,
    private readonly reader: TaskReader,
  ) {}

  /** Sets how often a task runs by itself, or pauses that. The interval is in minutes. */
  @Post('schedule')
  @HttpCode(200)
  async schedule(@CurrentUser() user: Principal, @Body() body: ScheduleBody): Promise<TaskResponse> {
    const task = await this.schedules.schedule(user, scheduleFrom(body));
    return ok('agent task scheduled', { task: taskView(await this.reader.shown(task)) });
  }
}
