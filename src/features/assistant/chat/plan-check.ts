import { Injectable } from '@nestjs/common';
import { assertColumns } from '../../../answering/given-plan.js';
import { AppError, isAppError } from '../../../shared/app-error.js';
import type { Principal } from '../../../shared/principal.js';
import { JoinableTables } from '../../datasource/joinable-tables.facade.js';
import { idsOf } from '../conversations/conversation.schema.js';
import { ConversationService } from '../conversations/conversation.service.js';
import type { ChatRequest } from './begun-answer.js';

const FILES_ONLY = 'a plan can’t be asked of context files alone';

/** Whether a plan can be asked in its conversation. */
@Injectable()
export class PlanCheck {
  constructor(
    private readonly conversations: ConversationService,
    private readonly tables: JoinableTables,
  ) {}

  /**
   * Without a plan the conversation alone is looked at. Of a datasource that has no rows the answer says so.
   *
   * @throws AppError `invalid_input`, or `not_found` for another user's conversation.
   */
  async check(by: Principal, { conversationId, given, contextOnly }: ChatRequest): Promise<void> {
    const conversation = await this.conversations.find(by, conversationId);
    if (given === null) return;
    if (contextOnly || conversation.contextOnly) throw filesOnly();
    const about = given.datasourceId ?? conversation.datasourceId;
    if (!idsOf(conversation).includes(about)) throw noSuchDatasource();
    const all = await this.tables.get(by.companyId, idsOf(conversation)).catch(unlessGone);
    const asked = all.find(({ id }) => id === about);
    if (asked?.profile != null) assertColumns(given.plan, { profile: asked.profile, joined: asked.joined });
  }
}

/** Then the answer says so. */
function unlessGone(error: unknown): readonly [] {
  if (isAppError(error, 'not_found')) return [];
  throw error;
}

function noSuchDatasource(): AppError {
  return new AppError('not_found', 'the conversation has no such datasource');
}

function filesOnly(): AppError {
  return new AppError('invalid_input', FILES_ONLY, { details: [{ field: 'plan', problem: FILES_ONLY }] });
}
