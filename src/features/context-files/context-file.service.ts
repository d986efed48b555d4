import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { NOT_DELETED } from '../../ports/bin-repository.js';
import { Clock } from '../../ports/clock.js';
import { IdSource } from '../../ports/id-source.js';
import { AppError } from '../../shared/app-error.js';
import type { CompanyId, FileId } from '../../shared/ids.js';
import { hasRole, type Principal } from '../../shared/principal.js';
import { noSuchFile, stillProcessing, tooManyFiles } from './context-file.errors.js';
import { ContextFileRepository } from './context-file.repository.js';
import { type ContextFile, MAX_FILES } from './context-file.schema.js';
import { DocumentReceiver, type ReceivedDocument } from './files/document-receiver.js';
import { ContextFileWork } from './processing/context-file-work.js';

/** Gives each file of a request to `take`, one after the other; fails when any of them can't be taken. */
export type Deliver = (take: (source: Readable, name: string) => Promise<void>) => Promise<void>;

/** Takes in, lists and deletes context files. What is in them is the processing's business. */
@Injectable()
export class ContextFileService {
  constructor(
    private readonly files: ContextFileRepository,
    private readonly receiver: DocumentReceiver,
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
    await this.assertRoom(by.companyId, 1);
    const received: ReceivedDocument[] = [];
    try {
      await deliver(async (source, name) => {
        received.push(await this.receiver.receive(by.companyId, name, source));
      });
      await this.assertRoom(by.companyId, received.length);
      return await this.record(received.map((document) => this.recordOf(by, document)));
    } catch (error) {
      await this.receiver.discard(by.companyId, received);
      throw error;
    }
  }

  /** @throws AppError `conflict` while it is pending, `forbidden` when neither its creator nor a manager asks. */
  async delete(by: Principal, id: FileId, permanent: boolean): Promise<void> {
    const seen = await this.files.find(by.companyId, id);
    if (seen === null) throw noSuchFile();
    if (seen.createdBy !== by.userId && !hasRole(by.role, 'manager')) throw new AppError('forbidden', 'forbidden');
    if (seen.status === 'pending') throw stillProcessing();
    const isDone = { status: { in: ['ready', 'failed'] } };
    const deleted = await this.files.hide(seen, isDone, { at: this.clock.now(), permanent });
    if (deleted === null) throw noSuchFile();
    if (permanent) await this.work.clear(deleted);
  }

  private async assertRoom(companyId: CompanyId, wanted: number): Promise<void> {
    if ((await this.files.count(companyId)) + wanted > MAX_FILES) throw tooManyFiles(MAX_FILES);
  }

  private async record(files: readonly ContextFile[]): Promise<readonly ContextFile[]> {
    const kept: ContextFile[] = [];
    try {
      for (const file of files) {
        await this.files.insert(file);
        kept.push(file);
      }
    } catch (error) {
      for (const file of kept) await this.files.remove(file);
      throw error;
    }
    for (const file of files) await this.work.ask(file);
    return files;
  }

  private recordOf(by: Principal, document: ReceivedDocument): ContextFile {
    const now = this.clock.now();
    return {
      id: this.ids.next(),
      companyId: by.companyId,
      createdBy: by.userId,
      ...document,
      status: 'pending',
      reason: null,
      collectionId: null,
      pages: null,
      passages: 0,
      attempt: null,
      embeddingModel: null,
      interrupted: 0,
      startedAt: null,
      leaseOwner: null,
      leaseUntil: null,
      ...NOT_DELETED,
      createdAt: now,
      updatedAt: now,
    };
  }
}
