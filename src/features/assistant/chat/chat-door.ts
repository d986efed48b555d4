import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../config/app-config.js';
import { SharedLimits } from '../../../ports/shared-limits.js';
import { AppError } from '../../../shared/app-error.js';
import type { Principal } from '../../../shared/principal.js';
import { CompanyModels } from '../../models/company-models.facade.js';
import { AnswerLedger } from './answer-ledger.js';
import type { BegunAnswer, ChatRequest } from './begun-answer.js';
import { AskedTables } from './question-builder.js';

const RETRY_SECONDS = 5;

/** Lets questions in: so many at once of each user and each company, on whatever instance. */
@Injectable()
export class ChatDoor {
  constructor(
    private readonly limits: SharedLimits,
    private readonly config: AppConfig,
    private readonly models: CompanyModels,
    private readonly ledger: AnswerLedger,
    private readonly tables: AskedTables,
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
    await this.tables.check(by, request);
    const leave = await this.take(by);
    try {
      const answerer = await (request.given === null ? this.models.answererFor(by) : this.models.builtInFor(by));
      return { begun: await this.ledger.begin(by, request, answerer), leave };
    } catch (error) {
      leave();
      throw error;
    }
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
