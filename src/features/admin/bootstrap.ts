import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { IdSource } from '../../ports/id-source.js';
import { isAppError } from '../../shared/app-error.js';
import { CompanyFacade } from '../company/company.facade.js';
import { SettingsFacade } from '../settings/settings.facade.js';
import { UsersFacade, type User } from '../users/users.facade.js';

/**
 * On a store without a company: makes one, its settings and its manager, so that somebody can sign in.
 * The manager comes first: the address can be taken once, so that one of two instances that start at once makes it.
 */
@Injectable()
export class Bootstrap implements OnApplicationBootstrap {
  constructor(
    private readonly config: AppConfig,
    private readonly ids: IdSource,
    private readonly companies: CompanyFacade,
    private readonly settings: SettingsFacade,
    private readonly accounts: UsersFacade,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if ((await this.companies.count()) > 0) return;
    const { companyId } = await this.manager();
    await this.settings.ensure(companyId);
    // The company comes last: until it is there, the next start begins again.
    await this.companies.ensure(companyId, this.config.auth.bootstrap.company);
  }

  private async manager(): Promise<User> {
    const { email, password } = this.config.auth.bootstrap;
    const existing = await this.accounts.findByEmail(email);
    return existing ?? this.newManager(email, password);
  }

  private async newManager(email: string, given: string | null): Promise<User> {
    const password = given ?? this.ids.token();
    try {
      const draft = { companyId: this.ids.next<User['companyId']>(), email, password, role: 'manager' };
      const manager = await this.accounts.create({ ...draft, firstName: '', lastName: '' });
      if (given === null) process.stdout.write(`First sign-in: ${manager.email} / ${password} (shown once)\n`);
      return manager;
    } catch (error) {
      // Another instance was first: its manager, and the password that it printed, are the ones that count.
      const winner = isAppError(error, 'conflict') ? await this.accounts.findByEmail(email) : null;
      if (winner === null) throw error;
      return winner;
    }
  }
}
