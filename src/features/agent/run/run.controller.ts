import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { KeyScope } from '../../../http/api-keys.js';
import { CurrentUser } from '../../../http/current-user.js';
import { ok } from '../../../http/envelope.js';
import { IdPipe } from '../../../http/id.pipe.js';
import { asId, type TaskId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { TaskReader } from '../tasks/task-reader.js';
import { RunStartedResponse, StopTaskBody, TaskResponse, taskView } from '../tasks/task.wire.js';
import { RunService } from './run.service.js';

@ApiTags('Agent tasks')
@Access('user')
@Controller('secure/agent/task')
export class RunController {
  constructor(
    private readonly runs: RunService,
    private readonly reader: TaskReader,
  ) {}

  /** Begins a run of a task. Its steps arrive over the WebSocket, and its answer becomes the task's. */
  @Get('run/:task_id')
  @KeyScope('write')
  @ApiParam({ name: 'task_id', type: String })
  async run(@CurrentUser() user: Principal, @Param('task_id', IdPipe) id: TaskId): Promise<RunStartedResponse> {
    const { task, runId } = await this.runs.run(user, id);
    return ok('agent task run', { task: { id: task.id, status: task.status }, run_id: runId });
  }

  /** Ends the run in progress. The steps it has done are kept. */
  @Post('stop')
  @HttpCode(200)
  async stop(@CurrentUser() user: Principal, @Body() body: StopTaskBody): Promise<TaskResponse> {
    const task = await this.runs.stop(user, asId(body.task_id.toLowerCase()));
    return ok('agent task stopped', { task: taskView(await this.reader.shown(task)) });
  }
}
