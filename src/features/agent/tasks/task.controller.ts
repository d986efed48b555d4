import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiForbiddenResponse, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { CurrentUser } from '../../../http/current-user.js';
import { ok } from '../../../http/envelope.js';
import { Envelope } from '../../../http/envelope.wire.js';
import { IdPipe } from '../../../http/id.pipe.js';
import { RequestedPage } from '../../../http/requested-page.js';
import type { TaskId } from '../../../shared/ids.js';
import type { Page } from '../../../shared/page.js';
import type { Principal } from '../../../shared/principal.js';
import { TaskDeletion } from './task-deletion.js';
import { TaskService } from './task.service.js';
import { CreateTaskBody, TaskResponse, TasksResponse, taskDraftFrom, taskView } from './task.wire.js';

@ApiTags('Agent tasks')
@Access('user')
@Controller('secure/agent')
export class TaskController {
  constructor(
    private readonly tasks: TaskService,
    private readonly deletion: TaskDeletion,
  ) {}

  /** The company's tasks, newest first. `total` counts those on all pages. */
  @Get('tasks')
  @ApiQuery({ name: 'page', required: false, type: Number })
  @ApiQuery({ name: 'page_size', required: false, type: Number })
  async list(@CurrentUser() user: Principal, @RequestedPage() page: Page): Promise<TasksResponse> {
    const { entries, total } = await this.tasks.list(user, page);
    return ok('agent tasks retrieved', { tasks: entries.map(taskView), total });
  }

  /** A task with the steps and the answer of its last run. While one runs, `status` is `running`. */
  @Get('task/:task_id')
  @ApiParam({ name: 'task_id', type: String })
  async get(@CurrentUser() user: Principal, @Param('task_id', IdPipe) id: TaskId): Promise<TaskResponse> {
    return ok('agent task retrieved', { task: taskView(await this.tasks.get(user, id)) });
  }

  /** Makes a task that can be run at any time. With `automation_enabled` it also runs by itself. */
  @Post('task')
  @HttpCode(200)
  async create(@CurrentUser() user: Principal, @Body() body: CreateTaskBody): Promise<TaskResponse> {
    return ok('agent task created', { task: taskView(await this.tasks.create(user, taskDraftFrom(body))) });
  }

  /** Deletes a task with its history and images. For its creator and managers; a task that runs only when its run began more than ten minutes ago. */
  @Delete('task/delete/:task_id')
  @ApiForbiddenResponse({ description: 'The caller is neither its creator nor a manager.' })
  @ApiParam({ name: 'task_id', type: String })
  async delete(@CurrentUser() user: Principal, @Param('task_id', IdPipe) id: TaskId): Promise<Envelope> {
    await this.deletion.delete(user, id);
    return ok('agent task deleted');
  }
}
