import { createHash } from 'node:crypto';
import { SchemaRules } from '../adapters/documents/schema-rules.js';
import { COMPANIES } from '../features/company/company.schema.js';
import type { Clock } from '../ports/clock.js';
import type { Collection, DocumentStore, StoredDocument } from '../ports/document-store.js';
import type { ObjectStore } from '../ports/object-store.js';
import { AppError } from '../shared/app-error.js';
import { type AnyKind, DOCUMENT_KINDS, FORGOTTEN_KINDS } from './document-kinds.js';
import { copyDocuments, kindsThere, verifyDocuments, type DocumentSource, type KindReport } from './document-move.js';
import { MIGRATIONS, type MigrationState } from './migration-state.schema.js';
import { copyObjects, hasObjects, verifyObjects } from './object-move.js';

/** Both ends of a move. Nothing is ever written to the source. */
export interface MigrationEnds {
  readonly from: DocumentSource;
  readonly to: DocumentStore;
  /** `null`: files stay where they are. */
  readonly objects: { readonly from: ObjectStore; readonly to: ObjectStore } | null;
  readonly clock: Clock;
}

export interface MigrationReport {
  readonly resumed: boolean;
  readonly kinds: readonly KindReport[];
  /** Nothing is missing, differs or is too much. */
  readonly sound: boolean;
}

const ID = 'embedded';

/**
 * Moves an embedded installation's documents, and its files when asked, those of rows among them. Can be killed at any moment and be begun
 * again; what was moved is not moved twice, and all of it is verified at the end.
 */
export class Migration {
  private readonly states: Collection<MigrationState>;

  constructor(
    private readonly ends: MigrationEnds,
    private readonly tell: (progress: string) => void,
  ) {
    this.states = ends.to.collection(MIGRATIONS);
  }

  /** @throws AppError `conflict` when the target is somebody else's, `invalid_input` when the source has what this version does not know. */
  async run(): Promise<MigrationReport> {
    const resumed = await this.begin();
    for (const kind of DOCUMENT_KINDS) {
      const copied = await copyDocuments(this.ends.from, this.ends.to, kind);
      this.tell(`${kind.name}: ${copied} copied`);
    }
    if (this.ends.objects !== null) {
      this.tell(`files: ${await copyObjects(this.ends.objects.from, this.ends.objects.to)} copied`);
    }
    const kinds = await this.verified();
    const sound = kinds.every(({ problems }) => problems.length === 0);
    if (sound) await this.states.update({ id: ID }, { set: { finishedAt: this.ends.clock.now() } });
    return { resumed, kinds, sound };
  }

  /** True when it goes on with what was begun earlier. */
  private async begin(): Promise<boolean> {
    const source = await this.sourceName();
    const state = await this.states.get(ID);
    if (state !== null) {
      assertOwn(state, source);
      return true;
    }
    await this.assertEmpty();
    await this.states.insert({ id: ID, source, startedAt: this.ends.clock.now(), finishedAt: null });
    return false;
  }

  /** An installation is known by its companies: their ids never change. */
  private async sourceName(): Promise<string> {
    const known = [...DOCUMENT_KINDS.map(({ name }) => name), ...FORGOTTEN_KINDS];
    const unknown = this.ends.from.kinds().filter((name) => !known.includes(name));
    if (unknown.length > 0) {
      throw new AppError('invalid_input', `this version does not know these documents: ${unknown.join(', ')}`);
    }
    const hash = createHash('sha256');
    let companies = 0;
    for await (const { id } of this.ends.from.documentsOf(COMPANIES)) {
      hash.update(`${id} `);
      companies += 1;
    }
    if (companies === 0) throw new AppError('not_found', 'there is no company in the source: nothing is to be moved');
    return hash.digest('hex');
  }

  private async assertEmpty(): Promise<void> {
    const there = await kindsThere(this.ends.to);
    if (there.length > 0) {
      throw new AppError('conflict', `the target is not empty, it has ${there.join(', ')}: choose another database`);
    }
    if (this.ends.objects !== null && (await hasObjects(this.ends.objects.to))) {
      throw new AppError('conflict', 'the bucket is not empty: choose another one, or another prefix');
    }
  }

  private async verified(): Promise<readonly KindReport[]> {
    const reports: KindReport[] = [];
    for (const kind of DOCUMENT_KINDS) {
      const isExpired = isExpiredBy(kind, this.ends.clock);
      reports.push(await verifyDocuments(this.ends.from, this.ends.to, { kind, isExpired }));
    }
    if (this.ends.objects !== null) reports.push(await verifyObjects(this.ends.objects.from, this.ends.objects.to));
    return reports;
  }
}

function assertOwn({ source, finishedAt }: MigrationState, own: string): void {
  if (finishedAt !== null) {
    const when = finishedAt.toISOString();
    throw new AppError(
      'conflict',
      `the target was migrated to on ${when} and is in use since: choose another database`,
    );
  }
  if (source !== own) {
    throw new AppError('conflict', 'the target has the unfinished migration of another installation');
  }
}

/** Whether a document of the kind has outlived its time by now, so that no store shows it. */
function isExpiredBy(kind: AnyKind, clock: Clock): (document: StoredDocument) => boolean {
  const { expiries } = new SchemaRules(kind);
  return (document) => {
    const now = clock.now().getTime();
    return expiries.some(({ field, seconds }) => {
      const since: unknown = Object.entries(document).find(([name]) => name === field)?.[1];
      return since instanceof Date && since.getTime() + seconds * 1000 <= now;
    });
  };
}
