import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { IdentityProviders } from '../../../ports/identity-providers.js';
import { AppError, invalidField } from '../../../shared/app-error.js';
import type { CompanyId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { UsersFacade } from '../../users/users.facade.js';
import { type SignInDraft, SignInProviders } from './sign-in-providers.js';
import type { SignInProvider } from './sign-in.schema.js';

/** Nobody goes to the page that is asked for with it. */
const NO_CHALLENGE = { state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43) };

/** With which provider the people of a company sign in, as its managers set it. */
@Injectable()
export class SignInSettingsService {
  constructor(
    private readonly providers: SignInProviders,
    private readonly openId: IdentityProviders,
    private readonly accounts: UsersFacade,
    private readonly clock: Clock,
  ) {}

  /**
   * The provider is asked for its metadata before anything is kept.
   *
   * @throws AppError `invalid_input`, `unavailable` when the provider can't be reached, `conflict` when a domain is another company's.
   */
  async save({ companyId }: Principal, draft: SignInDraft): Promise<SignInProvider> {
    const problem = this.openId.problemOf(draft.issuer);
    if (problem !== null) throw invalidField('issuer', `issuer ${problem}`);
    const known = await this.providers.of(companyId);
    const provider = await this.providers.drafted(companyId, known, draft, this.clock.now());
    await this.assertFree(companyId, draft.domains);
    await this.openId.pageFor(await this.providers.connectionOf(provider), NO_CHALLENGE);
    await this.providers.keep(known, provider);
    return provider;
  }

  /** False when there was none. */
  async remove({ companyId }: Principal): Promise<boolean> {
    const known = await this.providers.of(companyId);
    return known !== null && this.providers.remove(known);
  }

  /** Whoever claims the domain of others would be asked in their place who they are. */
  private async assertFree(companyId: CompanyId, domains: readonly string[]): Promise<void> {
    for (const domain of domains) {
      const isTaken =
        (await this.providers.isClaimedElsewhere(companyId, domain)) ||
        (await this.accounts.isDomainUsedElsewhere(companyId, domain));
      if (isTaken)
        throw new AppError('conflict', `${domain} can't be claimed by this company: ask whoever runs the service`);
    }
  }
}
