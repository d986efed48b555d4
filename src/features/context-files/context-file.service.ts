import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { CONTEXT_FILES, type ContextFile, MAX_FILES } from './context-file.schema.js';
import { Clock } from '../../ports/clock.js';
import { IdSource } from '../../ports/id-source.js';
import { AppError, invalidField } from '../../shared/app-error.js';
import type { CompanyId, FileId } from '../../shared/ids.js';
import { assertMayManage, type Principal } from '../../shared/principal.js';
import { ContextFileRepository } from './context-file.repository.js';
import { DocumentFiles } from './files/document-files.js';
import { ContextFileWork } from './processing/context-file-work.js';

/** Those in the bin included. */
const LIMIT = {
  most: MAX_FILES,
  where: {},
  full: `a company can have up to ${MAX_FILES} context files: delete some first, also from the bin`,
};

/** Gives each file of a request to `take`, one after the other; fails when any of them can't be taken. */
export type Deliver = (take: (source: Readable, name: string) => Promise<void>) => Promise<void>;

/** A document whose bytes are stored and that no record names yet. */
type ReceivedDocument = Pick<ContextFile, 'filename' | 'storageKey' | 'type' | 'size'>;

/** Takes in, lists and deletes context files. What is in them is the processing's business. */
@Injectable()
export class ContextFileService {
  constructor(
    private readonly files: ContextFileRepository,
    private readonly documents: DocumentFiles,
    private readonly work: ContextFileWork,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  /** Newest first. */
  list(by: Principal): Promise<readonly ContextFile[]> {
    return this.files.list(by.companyId);
  }

  /** Keeps all files that are delivered and leaves them to the processing, or keeps none. */
  async receive(by: Principal, deliver: Deliver): Promise<readonly ContextFile[]> {
    await this.files.assertWithin(by.companyId, LIMIT, 1);
    const received: ReceivedDocument[] = [];
    const storageKeys: string[] = [];
    try {
      await deliver(async (source, name) => {
        const storageKey = this.ids.token();
        storageKeys.push(storageKey);
        const size = await this.documents.write(by.companyId, storageKey, source);
        received.push(await this.recognised(by.companyId, { filename: cleanFileName(name), storageKey, size }));
      });
      const files = received.map((document) => this.recordOf(by, document));
      await this.files.insertWithin(by.companyId, LIMIT, files);
      for (const file of files) await this.work.ask(file);
      return files;
    } catch (error) {
      // What can't be removed now is swept: why they are not wanted is the more important failure.
      for (const key of storageKeys) await this.documents.remove(by.companyId, key).catch(() => undefined);
      throw error;
    }
  }

  /** @throws AppError `conflict` while it is pending, `forbidden` when neither its creator nor a manager asks. */
  async delete(by: Principal, id: FileId, permanent: boolean): Promise<void> {
    const seen = await this.files.get(by.companyId, id);
    assertMayManage(by, seen);
    if (seen.status === 'pending') throw new AppError('conflict', 'file is still processing');
    const isDone = { status: { in: ['ready', 'failed'] } };
    const deleted = await this.files.hide(seen, isDone, { at: this.clock.now(), permanent });
    if (deleted === null) throw this.files.missing();
    if (permanent) await this.work.clear(deleted);
  }

  /** @throws AppError `unsupported_type` or `invalid_input`, naming the file. */
  private async recognised(companyId: CompanyId, file: Omit<ReceivedDocument, 'type'>): Promise<ReceivedDocument> {
    const { filename } = file;
    if (file.size === 0) throw invalidField('files', `${filename} is empty`);
    const recognised = await this.documents.recognise(companyId, file.storageKey);
    if (recognised.supported) return { ...file, type: recognised.type };
    const { mediaType } = recognised;
    const problem = `${filename} is ${mediaType}; text, PDF and Word (.docx) files are supported`;
    throw new AppError('unsupported_type', `invalid input: unsupported file type ${mediaType}`, {
      details: [{ field: 'files', problem }],
    });
  }

  private recordOf(by: Principal, document: ReceivedDocument): ContextFile {
    const now = this.clock.now();
    return {
      ...CONTEXT_FILES.blank,
      id: this.ids.next(),
      companyId: by.companyId,
      createdBy: by.userId,
      ...document,
      status: 'pending',
      passages: 0,
      interrupted: 0,
      createdAt: now,
      updatedAt: now,
    };
  }
}

const LONGEST = 255;
/**
 * Control characters, marks that turn the direction of writing, characters nobody sees, tags that smuggle text past a reader, and
 * halves of characters.
 */
const UNSEEN =
  /[\p{Cc}\p{Cs}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/** The last part of whatever path a sender names, fit to be shown: at most 255 characters, its ending kept. */
export function cleanFileName(given: string): string {
  const base = given.split(/[\\/]/).at(-1) ?? '';
  const name = base.normalize('NFC').replace(UNSEEN, '').trim();
  if (/^\.*$/.test(name)) return 'unnamed';
  return name.length <= LONGEST ? name : shortened(name);
}

function shortened(name: string): string {
  const ending = /\.[^.]{1,16}$/u.exec(name)?.[0] ?? '';
  // Half a character must not be left.
  return name.slice(0, LONGEST - ending.length).replace(/[\uD800-\uDBFF]$/, '') + ending;
}
