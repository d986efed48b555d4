import { Injectable } from '@nestjs/common';
import { MOST_RECIPIENTS } from '../../http/fields.js';
import { Mailer } from '../../ports/mailer.js';
import { AppError, invalidField } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import { mailAddressProblem } from '../../shared/mail-address.js';
import { hasRole, type Principal } from '../../shared/principal.js';
import { UsersFacade } from '../users/users.facade.js';

/** Who is to get a mail again and again. */
export interface Recipient {
  /** In lower case. */
  readonly address: string;
  /** Nobody of the company: a manager has named them. Everybody else gets mail as long as they are let in. */
  readonly external: boolean;
}

/** Says who may be written to: people of the company, and whomever a manager names. */
@Injectable()
export class RecipientsFacade {
  constructor(
    private readonly users: UsersFacade,
    private readonly mailer: Mailer,
  ) {}

  /**
   * `before`: who was named already, and may stay.
   *
   * @throws AppError `invalid_input` for addresses that are none or too many, `forbidden` for an address that the caller may not name,
   *   `conflict` when no mail server is set up.
   */
  async checked(
    by: Principal,
    addresses: readonly string[],
    before: readonly Recipient[] = [],
  ): Promise<readonly Recipient[]> {
    const named = [...new Set(addresses.map((address) => address.trim().toLowerCase()))];
    if (named.length > MOST_RECIPIENTS) throw refused(`must name at most ${MOST_RECIPIENTS} addresses`);
    if (named.length > 0 && !this.mailer.available) {
      throw new AppError(
        'conflict',
        'nobody can be told by mail: this service has no mail server, which its operator sets up',
      );
    }
    const recipients: Recipient[] = [];
    for (const address of named) {
      const problem = mailAddressProblem(address);
      if (problem !== null) throw refused(`each ${problem}`);
      const external = !(await this.isMember(by.companyId, address));
      const isKnown = before.some((each) => each.address === address);
      if (external && !isKnown && !hasRole(by.role, 'manager')) {
        throw new AppError('forbidden', `${address} is nobody of the company: a manager may name them`);
      }
      recipients.push({ address, external });
    }
    return recipients;
  }

  /** Who is to be written to now: people who have left, or are blocked, are not. */
  async addressesOf(companyId: CompanyId, recipients: readonly Recipient[]): Promise<readonly string[]> {
    const checked = recipients.map(async ({ address, external }) => {
      const user = await this.users.findByEmail(address);
      const isOurs = user?.companyId === companyId;
      return (isOurs ? user.isActive : external) ? [address] : [];
    });
    return (await Promise.all(checked)).flat();
  }

  private async isMember(companyId: CompanyId, address: string): Promise<boolean> {
    const user = await this.users.findByEmail(address);
    return user?.companyId === companyId && user.isActive;
  }
}

function refused(problem: string): AppError {
  return invalidField('notify_emails', problem, `notify_emails: ${problem}`);
}
