import { Schema } from 'mongoose';
import type { CollectionDefinition, TenantDocument } from '../../ports/document-store.js';
import type { Id } from '../../shared/ids.js';

const schema = new Schema({
  companyId: { type: String, required: true },
  holder: { type: String, required: true },
  until: { type: Date, required: true },
});
schema.index({ companyId: 1 }, { unique: true });

export const PEOPLE_TURNS: CollectionDefinition<PeopleTurn> = { name: 'people-turns', schema };

/** Somebody is changing the people of a company; there is one for each company at most. */
export interface PeopleTurn extends TenantDocument {
  readonly id: Id<'people-turn'>;
  readonly holder: string;
  readonly until: Date;
}
