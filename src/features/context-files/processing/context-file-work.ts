import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../../ports/job-queue.js';
import { Log, warned } from '../../../ports/log.js';
import { ContextFileRepository } from '../context-file.repository.js';
import type { ContextFile } from '../context-file.schema.js';
import { DocumentFiles } from '../files/document-files.js';
import { PassageBatchRepository } from '../passages/passage-batch.repository.js';

/** Background work on context files. */
@Injectable()
export class ContextFileWork {
  constructor(
    private readonly jobs: JobQueue,
    private readonly files: ContextFileRepository,
    private readonly batches: PassageBatchRepository,
    private readonly documents: DocumentFiles,
    private readonly log: Log,
  ) {}

  ask({ companyId, id }: Pick<ContextFile, 'companyId' | 'id'>): Promise<void> {
    return this.jobs.enqueue('context-file.process', id, { companyId, fileId: id });
  }

  /**
   * Removes what a deleted file left: its passages, its bytes, and its record last, so that an interrupted removal is found again.
   * Never rejects: nobody sees the file any more, and the sweeper of the bin tries again.
   */
  async clear(deleted: ContextFile): Promise<void> {
    const { id: fileId } = deleted;
    await this.remove(deleted).catch(warned(this.log, 'a deleted context file could not be removed yet', { fileId }));
  }

  private async remove(deleted: ContextFile): Promise<void> {
    await this.jobs.cancel('context-file.process', deleted.id);
    await this.batches.removeWhere(deleted.companyId, { fileId: deleted.id });
    await this.documents.remove(deleted.companyId, deleted.storageKey);
    // Somebody may still be writing new vectors for it: the sweeper comes again when they have stopped.
    if (deleted.leaseOwner === null) await this.files.removeDeleted(deleted);
  }
}
