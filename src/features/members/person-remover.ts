import { Injectable } from '@nestjs/common';
import { ApiKeysFacade } from '../api-keys/api-keys.facade.js';
import { AssistantFacade } from '../assistant/assistant.facade.js';
import { AuditFacade } from '../audit/audit.facade.js';
import { AuthFacade } from '../auth/auth.facade.js';
import { UploadsFacade } from '../datasource/uploads.facade.js';
import { InvitationsRepository } from './invitations.repository.js';
import { UserAccountsFacade, type User } from '../users/user-accounts.facade.js';
import { IdentityRepository } from './sign-in/sign-in.repository.js';

/** What tells of somebody beyond their account and conversations. */
@Injectable()
export class PersonTraces {
  constructor(
    private readonly keys: ApiKeysFacade,
    private readonly uploads: UploadsFacade,
    private readonly audit: AuditFacade,
    private readonly invitations: InvitationsRepository,
  ) {}

  /** Keys, uploads that were never used, links, and their name in the audit log. What they made for the company stays. */
  async erase({ companyId, id, email }: User): Promise<void> {
    await this.keys.removeOf(companyId, id);
    await this.uploads.removeOf(companyId, id);
    await this.invitations.removeFor(companyId, { email });
    await this.audit.anonymise(companyId, id, email);
  }
}

/** Removes somebody's account, and what they have asked; with `erase` all that tells of them. */
@Injectable()
export class PersonRemover {
  constructor(
    private readonly accounts: UserAccountsFacade,
    private readonly auth: AuthFacade,
    private readonly assistant: AssistantFacade,
    private readonly identities: IdentityRepository,
    private readonly traces: PersonTraces,
  ) {}

  /** They are shut out first, and the account goes last: whatever breaks it off, it can be asked for again. */
  async remove(user: User, erase: boolean): Promise<void> {
    const { companyId, id, email } = user;
    await this.accounts.changeOf(user, { isActive: false });
    await this.auth.endSessionsOf(companyId, id);
    await this.assistant.forget({ companyId, userId: id });
    if (erase) await this.traces.erase(user);
    await this.identities.bar(companyId, id, email);
    await this.accounts.remove(user);
  }
}
