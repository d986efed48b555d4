import { Injectable } from '@nestjs/common';
import { assertColumns } from '../../../answering/given-plan.js';
import { AppConfig } from '../../../config/app-config.js';
import { SharedLimits } from '../../../ports/shared-limits.js';
import { AppError, invalidField, onKind } from '../../../shared/app-error.js';
import type { Principal } from '../../../shared/principal.js';
import { JoinableTables } from '../../datasource/joinable-tables.facade.js';
import { CompanyModels, type CompanyAnswerer } from '../../models/company-models.facade.js';
import { idsOf } from '../conversations/conversation.schema.js';
import { ConversationService } from '../conversations/conversation.service.js';
import { AnswerLedger } from './answer-ledger.js';
import type { BegunAnswer, ChatRequest } from './begun-answer.js';

const RETRY_SECONDS = 5;

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
    if (contextOnly || conversation.contextOnly)
      throw invalidField('plan', 'a plan can’t be asked of context files alone');
    const about = given.datasourceId ?? conversation.datasourceId;
    if (!idsOf(conversation).includes(about))
      throw new AppError('not_found', 'the conversation has no such datasource');
    // Of what is gone the answer says so.
    const all = await this.tables.get(by.companyId, idsOf(conversation)).catch(onKind('not_found', () => []));
    const asked = all.find(({ id }) => id === about);
    if (asked?.profile != null) assertColumns(given.plan, { profile: asked.profile, joined: asked.joined });
  }
}

/** Lets questions in: so many at once of each user and each company, on whatever instance. */
@Injectable()
export class ChatDoor {
  constructor(
    private readonly limits: SharedLimits,
    private readonly config: AppConfig,
    private readonly models: CompanyModels,
    private readonly ledger: AnswerLedger,
    private readonly plans: PlanCheck,
  ) {}

  /**
   * Who has too many answers running, a company whose tokens are spent, or a plan that does not fit the datasource is refused before
   * anything is written down. `leave` is to be called when the answer has ended.
   *
   * @throws AppError `rate_limited`, `invalid_input`; `not_found`, or `conflict` when the conversation is busy.
   */
  async enter(
    by: Principal,
    request: ChatRequest,
  ): Promise<{ readonly begun: BegunAnswer; readonly leave: () => void }> {
    await this.plans.check(by, request);
    const leave = await this.take(by);
    try {
      return { begun: await this.ledger.begin(by, request, await this.answererOf(by, request)), leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  private answererOf(by: Principal, { given }: ChatRequest): Promise<CompanyAnswerer> {
    return given === null ? this.models.answererFor(by) : this.models.builtInFor(by);
  }

  private async take({ userId, companyId }: Principal): Promise<() => void> {
    const { chatsPerUser, chatsPerCompany } = this.config.limits;
    const leaveOwn = await this.limits.takePlace(`chats:${userId}`, chatsPerUser);
    if (leaveOwn === null) throw tooMany(`${chatsPerUser} of your questions are being answered`);
    const leaveCompanys = await this.limits.takePlace(`chats:${companyId}`, chatsPerCompany);
    if (leaveCompanys === null) {
      leaveOwn();
      throw tooMany(`${chatsPerCompany} questions of your company are being answered`);
    }
    return () => {
      leaveOwn();
      leaveCompanys();
    };
  }
}

function tooMany(why: string): AppError {
  return new AppError('rate_limited', `${why}: ask again when one of them is done`, { retryAfter: RETRY_SECONDS });
}
