import { Body, Controller, Delete, Get, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiForbiddenResponse, ApiOkResponse, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Access, KeyScope, PostOk } from '../../../http/access.js';
import { NOTEBOOK, notebookFile } from '../../../http/attachment.js';
import { CurrentUser, IdPipe, OptionalIdPipe, RequestedPage } from '../../../http/parameters.js';
import { Envelope, ok } from '../../../http/envelope.wire.js';
import { PermanentParameter } from '../../../http/permanent.wire.js';
import type { RunId, TaskId } from '../../../shared/ids.js';
import type { Page } from '../../../shared/page.js';
import type { Principal } from '../../../shared/principal.js';
import { RunService } from '../run/run.service.js';
import { TaskDeletion, TaskReader, TaskService } from './task.service.js';
import {
  CreateTaskBody,
  RunStartedResponse,
  runView,
  ScheduleBody,
  scheduleFrom,
  StopTaskBody,
  taskDraftFrom,
  TaskHistoryResponse,
  TaskResponse,
  TasksResponse,
  taskView,
} from './task.wire.js';

@ApiTags('Agent tasks')
@Access('user')
@Controller('secure/agent')
export class TaskController {
  constructor(
    private readonly tasks: TaskService,
    private readonly reader: TaskReader,
    private readonly deletion: TaskDeletion,
    private readonly runs: RunService,
  ) {}

  /** The company's tasks, newest first. `total` counts those on all pages. */
  @Get('tasks')
  async list(@CurrentUser() user: Principal, @RequestedPage() page: Page): Promise<TasksResponse> {
    const { entries, total } = await this.reader.list(user, page);
    return ok('agent tasks retrieved', { tasks: entries.map(taskView), total });
  }

  /** A task with the steps and the answer of its last run. While one runs, `status` is `running`. */
  @Get('task/:task_id')
  async get(@CurrentUser() user: Principal, @Param('task_id', IdPipe) id: TaskId): Promise<TaskResponse> {
    return ok('agent task retrieved', { task: taskView(await this.reader.get(user, id)) });
  }

  /** Makes a task that can be run at any time. With `automation_enabled` it also runs by itself. */
  @PostOk('task')
  async create(@CurrentUser() user: Principal, @Body() body: CreateTaskBody): Promise<TaskResponse> {
    return ok('agent task created', { task: taskView(await this.tasks.create(user, taskDraftFrom(body))) });
  }

  /** Begins a run of a task. Its steps arrive over the WebSocket, and its answer becomes the task's. */
  @Get('task/run/:task_id')
  @KeyScope('write')
  async run(@CurrentUser() user: Principal, @Param('task_id', IdPipe) id: TaskId): Promise<RunStartedResponse> {
    const { task, runId } = await this.runs.run(user, id);
    return ok('agent task run', { task: { id: task.id, status: task.status }, run_id: runId });
  }

  /** Ends the run in progress. The steps it has done are kept. */
  @PostOk('task/stop')
  async stop(@CurrentUser() user: Principal, @Body() body: StopTaskBody): Promise<TaskResponse> {
    const task = await this.runs.stop(user, body.task_id);
    return ok('agent task stopped', { task: taskView(await this.reader.shown(task)) });
  }

  /** Sets how often a task runs by itself, or pauses that. The interval is in minutes. */
  @PostOk('task/schedule')
  async schedule(@CurrentUser() user: Principal, @Body() body: ScheduleBody): Promise<TaskResponse> {
    const task = await this.tasks.schedule(user, scheduleFrom(body));
    return ok('agent task scheduled', { task: taskView(await this.reader.shown(task)) });
  }

  /** A task's runs, newest first. Each has its steps and its answer. */
  @Get('taskhistory/:task_id')
  async history(
    @CurrentUser() user: Principal,
    @Param('task_id', IdPipe) id: TaskId,
    @RequestedPage() page: Page,
  ): Promise<TaskHistoryResponse> {
    const { entries, total } = await this.reader.history(user, id, page);
    return ok('agent task history retrieved', { history: entries.map(runView), total });
  }

  /** A task's last run as a Jupyter notebook: its steps with their queries and charts, its answer and its figures. With `run_id`, another run. */
  @Get('task/:task_id/notebook')
  @ApiQuery({ name: 'run_id', required: false, type: String })
  @ApiOkResponse(NOTEBOOK)
  async notebook(
    @CurrentUser() user: Principal,
    @Param('task_id', IdPipe) id: TaskId,
    @Query('run_id', OptionalIdPipe) runId: RunId | null,
  ): Promise<StreamableFile> {
    const { title, notebook } = await this.reader.notebook(user, id, runId);
    return notebookFile(title, notebook);
  }

  /** Deletes a task with its history and images. For its creator and managers, who can restore it for 30 days unless `permanent` is sent; a task that runs only when its run began more than ten minutes ago. */
  @Delete('task/delete/:task_id')
  @ApiForbiddenResponse({ description: 'The caller is neither its creator nor a manager.' })
  async delete(
    @CurrentUser() user: Principal,
    @Param('task_id', IdPipe) id: TaskId,
    @Query() { permanent }: PermanentParameter,
  ): Promise<Envelope> {
    await this.deletion.delete(user, id, permanent === 'true');
    return ok('agent task deleted');
  }
}
