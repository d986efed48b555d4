import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AppConfig } from '../../../config/app-config.js';
import { IdSource } from '../../../ports/id-source.js';
import { IdentityProviders, type ProviderConnection } from '../../../ports/identity-providers.js';
import { Log } from '../../../ports/log.js';
import { SecretBox } from '../../../ports/secret-box.js';
import { AppError, invalidField, messageOf } from '../../../shared/app-error.js';
import type { CompanyId } from '../../../shared/ids.js';
import { SignInProviderRepository } from './sign-in.repository.js';
import type { SignInProvider } from './sign-in.schema.js';
import { Clock } from '../../../ports/clock.js';
import type { Principal } from '../../../shared/principal.js';
import { UsersFacade } from '../../users/users.facade.js';

const CALLBACK = '/sign-in/callback';

/** What a manager sets; a secret that is null stays as it is. */
export type SignInDraft = Pick<SignInProvider, 'issuer' | 'clientId' | 'domains' | 'role' | 'admitsUnknown'> & {
  readonly secret: string | null;
};

/** The providers of companies, with their secrets sealed. */
@Injectable()
export class SignInProviders implements OnApplicationBootstrap {
  constructor(
    private readonly providers: SignInProviderRepository,
    private readonly box: SecretBox,
    private readonly config: AppConfig,
    private readonly ids: IdSource,
    private readonly log: Log,
  ) {}

  /** Secrets under a key that was replaced are sealed under the new one. */
  async onApplicationBootstrap(): Promise<void> {
    try {
      for (const provider of await this.providers.anywhere({})) await this.reseal(provider);
    } catch (error) {
      this.log.warn('secrets of sign-in providers could not be sealed again', { reason: messageOf(error) });
    }
  }

  /** Where providers send people back to; null: the operator has not said how the service is reached. */
  get redirectUri(): string | null {
    const { publicUrl } = this.config.server;
    return publicUrl === null ? null : `${publicUrl}${CALLBACK}`;
  }

  of(companyId: CompanyId): Promise<SignInProvider | null> {
    return this.providers.first(companyId, {});
  }

  /** Null when no company has the domain, or, for a moment, two claim it. */
  async withDomain(domain: string): Promise<SignInProvider | null> {
    const found = (await this.providers.anywhere({})).filter(({ domains }) => domains.includes(domain));
    return found.length === 1 ? (found[0] ?? null) : null;
  }

  async isClaimedElsewhere(companyId: CompanyId, domain: string): Promise<boolean> {
    const all = await this.providers.anywhere({});
    return all.some((provider) => provider.companyId !== companyId && provider.domains.includes(domain));
  }

  /** @throws AppError `conflict` when the operator has not said how the service is reached. */
  async connectionOf({ companyId, issuer, clientId, sealedSecret }: SignInProvider): Promise<ProviderConnection> {
    const { redirectUri } = this;
    if (redirectUri === null)
      throw new AppError('conflict', 'the address of this service is not known: its operator has to set PUBLIC_URL');
    return { issuer, clientId, clientSecret: await this.box.open(sealedSecret, companyId), redirectUri };
  }

  /** As it would be kept. @throws AppError `invalid_input` when there is no secret for this issuer. */
  async drafted(
    companyId: CompanyId,
    known: SignInProvider | null,
    { secret, ...draft }: SignInDraft,
    at: Date,
  ): Promise<SignInProvider> {
    const sealedSecret = secret === null ? keptSecret(known, draft.issuer) : await this.box.seal(secret, companyId);
    return { ...draft, id: known?.id ?? this.ids.next(), companyId, sealedSecret, updatedAt: at };
  }

  /** @throws AppError `conflict` when somebody else has changed it since `known` was read. */
  async keep(known: SignInProvider | null, { id, companyId, ...set }: SignInProvider): Promise<void> {
    if (known === null) await this.providers.insert({ id, companyId, ...set });
    else if ((await this.providers.swap(known, { updatedAt: known.updatedAt }, set)) === null)
      throw new AppError('conflict', 'somebody else changed this at the same moment: look at it again');
  }

  remove(provider: SignInProvider): Promise<boolean> {
    return this.providers.remove(provider);
  }

  private async reseal(provider: SignInProvider): Promise<void> {
    const { companyId, sealedSecret } = provider;
    if ((await this.box.stateOf(sealedSecret)) === 'current') return;
    const again = await this.box.seal(await this.box.open(sealedSecret, companyId), companyId);
    await this.providers.swap(provider, { sealedSecret }, { sealedSecret: again });
  }
}

/** It must not be sent to anybody but for whom it was made. */
function keptSecret(known: SignInProvider | null, issuer: string): string {
  if (known?.issuer === issuer) return known.sealedSecret;
  throw invalidField('client_secret', 'client_secret is required: there is none for this issuer yet');
}

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
