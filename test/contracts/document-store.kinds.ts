import { Schema } from 'mongoose';
import type {
  Collection,
  CollectionDefinition,
  DocumentStore,
  StoredDocument,
  TenantDocument,
} from '../../src/ports/document-store.js';
import type { ManualClock } from '../support/manual-clock.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';

export interface Note extends TenantDocument {
  readonly name: string;
  readonly slug?: string;
  readonly state?: 'open' | 'closed';
  readonly size?: number | null;
  readonly pinned?: boolean;
  readonly owner?: string | null;
  readonly at?: Date | null;
  readonly tags?: readonly string[];
  readonly config?: unknown;
  readonly limits?: Readonly<Record<string, number>>;
  readonly steps?: readonly { readonly title: string; readonly rank?: number }[];
}

const note = new Schema(
  {
    companyId: { type: String, required: true },
    name: { type: String, required: true },
    slug: { type: String },
    state: { type: String, enum: ['open', 'closed'], default: 'open' },
    size: { type: Number },
    pinned: { type: Boolean },
    owner: { type: String },
    at: { type: Date },
    tags: { type: [String] },
    config: { type: Schema.Types.Mixed },
    limits: { type: Schema.Types.Mixed },
    steps: { type: [new Schema({ title: { type: String, required: true }, rank: { type: Number, default: 1 } })] },
  },
  { minimize: false },
);
note.index({ companyId: 1, slug: 1 }, { unique: true, name: 'slug_in_company' });
note.index({ companyId: 1, at: -1 });
note.index({ owner: 1, at: 1 });

export const NOTES: CollectionDefinition<Note> = { name: 'notes', schema: note };

export interface Account extends TenantDocument {
  readonly email: string;
}

const account = new Schema({
  companyId: { type: String, required: true },
  email: { type: String, required: true, unique: true },
});

export const ACCOUNTS: CollectionDefinition<Account> = { name: 'accounts', schema: account };

export interface Ticket extends StoredDocument {
  readonly code: string;
  readonly expiresAt: Date | null;
  readonly uses?: number;
}

const ticket = new Schema({
  code: { type: String, required: true, unique: true },
  expiresAt: { type: Date, default: null },
  uses: { type: Number },
});
ticket.index({ expiresAt: 1 }, { expireAfterSeconds: 60 });

export const TICKETS: CollectionDefinition<Ticket> = { name: 'tickets', schema: ticket };

export const ACME = asId<CompanyId>('a'.repeat(24));
export const GLOBEX = asId<CompanyId>('b'.repeat(24));

export interface StoreUnderTest {
  readonly store: DocumentStore;
  readonly clock: ManualClock;
  readonly close: () => Promise<void>;
}

let made = 0;

/** A note that nothing is wrong with, with an id and a slug of its own. */
export function aNote(fields: Partial<Note> = {}): Note {
  made += 1;
  const number = String(made).padStart(6, '0');
  return { id: `n${number}`, companyId: ACME, name: `Note ${number}`, slug: `slug-${number}`, ...fields };
}

export function manyNotes(count: number, fields: (index: number) => Partial<Note> = () => ({})): readonly Note[] {
  return Array.from({ length: count }, (_, index) => aNote(fields(index)));
}

export const refusal = (kind: string): object => ({ name: 'AppError', kind });
export const namesOf = (found: readonly Note[]): readonly string[] => found.map(({ name }) => name);

export async function insertAll(into: Collection<Note>, all: readonly Note[]): Promise<void> {
  await Promise.all(all.map((each) => into.insert(each)));
}
