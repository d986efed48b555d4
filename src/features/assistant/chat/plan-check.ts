import { Injectable } from '@nestjs/common';
import { assertColumns } from '../../../answering/given-plan.js';
import { AppError } from '../../../shared/app-error.js';
import type { Principal } from '../../../shared/principal.js';
import { DatasourceFacade } from '../../datasource/datasource.facade.js';
import { ConversationService } from '../conversations/conversation.service.js';
import type { ChatRequest } from './begun-answer.js';

const FILES_ONLY = 'a plan can’t be asked of context files alone';

/** Whether a plan can be asked in its conversation. */
@Injectable()
export class PlanCheck {
  constructor(
    private readonly conversations: ConversationService,
    private readonly datasources: DatasourceFacade,
  ) {}

  /**
   * Nothing happens without a plan. Of a datasource that has no rows, or is gone, the answer says so.
   *
   * @throws AppError `invalid_input`, or `not_found` for another user's conversation.
   */
  async check(by: Principal, { conversationId, given, contextOnly }: ChatRequest): Promise<void> {
    if (given === null) return;
    const conversation = await this.conversations.find(by, conversationId);
    if (contextOnly || conversation.contextOnly) throw filesOnly();
    const datasource = await this.datasources.find(by.companyId, conversation.datasourceId);
    if (datasource?.profile != null) assertColumns(given.plan, datasource.profile);
  }
}

function filesOnly(): AppError {
  return new AppError('invalid_input', FILES_ONLY, { details: [{ field: 'plan', problem: FILES_ONLY }] });
}
