import type { TenantDocument } from '../../ports/document-store.js';
import { required, tenantKind } from '../../ports/stored-kind.schema.js';
import type { Id } from '../../shared/ids.js';

/** Somebody is changing the people of a company; there is one for each company at most. */
export interface PeopleTurn extends TenantDocument {
  readonly id: Id<'people-turn'>;
  readonly holder: string;
  readonly until: Date;
}

export const PEOPLE_TURNS = tenantKind<PeopleTurn>('people-turns', required({ holder: String, until: Date }), [
  [{ companyId: 1 }, { unique: true }],
]);
