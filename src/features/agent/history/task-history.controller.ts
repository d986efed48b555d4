import { Controller, Get, Param } from '@nestjs/common';
import { ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { CurrentUser } from '../../../http/current-user.js';
import { ok } from '../../../http/envelope.js';
import { IdPipe } from '../../../http/id.pipe.js';
import { RequestedPage } from '../../../http/requested-page.js';
import type { TaskId } from '../../../shared/ids.js';
import type { Page } from '../../../shared/page.js';
import type { Principal } from '../../../shared/principal.js';
import { TaskHistoryResponse, runView } from '../tasks/task.wire.js';
import { TaskHistoryService } from '../tasks/task-reader.js';

@ApiTags('Agent tasks')
@Access('user')
@Controller('secure/agent/taskhistory')
export class TaskHistoryController {
  constructor(private readonly history: TaskHistoryService) {}

  /** A task's runs, newest first. Each has its steps and its answer. */
  @Get(':task_id')
  @ApiParam({ name: 'task_id', type: String })
  @ApiQuery({ name: 'page', required: false, type: Number })
  @ApiQuery({ name: 'page_size', required: false, type: Number })
  async read(
    @CurrentUser() user: Principal,
    @Param('task_id', IdPipe) id: TaskId,
    @RequestedPage() page: Page,
  ): Promise<TaskHistoryResponse> {
    const { entries, total } = await this.history.read(user, id, page);
    return ok('agent task history retrieved', { history: entries.map(runView), total });
  }
}
