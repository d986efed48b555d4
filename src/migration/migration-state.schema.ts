import { Schema } from 'mongoose';
import type { CollectionDefinition, StoredDocument } from '../ports/document-store.js';

/** A move of an embedded installation, kept where it goes to. */
export interface MigrationState extends StoredDocument {
  /** What the installation is known by. */
  readonly source: string;
  readonly startedAt: Date;
  /** Null until everything was moved and verified. */
  readonly finishedAt: Date | null;
}

const schema = new Schema({
  source: { type: String, required: true },
  startedAt: { type: Date, required: true },
  finishedAt: { type: Date, default: null },
});

export const MIGRATIONS: CollectionDefinition<MigrationState> = { name: 'migrations', schema };
