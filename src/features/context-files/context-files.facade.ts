import { Injectable } from '@nestjs/common';
import type { AnswerSource } from '../../ports/assistant-answer.js';
import type { CompanyId, FileId } from '../../shared/ids.js';
import { ContextFileRepository } from './context-file.repository.js';
import { FILE_STATUSES, type ContextFile, type FileStatus } from './context-file.schema.js';
import { PassageFinder } from './retrieval/passage-finder.js';

export { contextFileView } from './context-file.wire.js';
export type { ContextFile } from './context-file.schema.js';
export { MAX_FILE_BYTES, MAX_FILES, MAX_FILES_AT_ONCE } from './context-file.schema.js';

/** The door to context files for other features. */
@Injectable()
export class ContextFilesFacade {
  constructor(
    private readonly files: ContextFileRepository,
    private readonly finder: PassageFinder,
  ) {}

  /** The passages of the company's files that fit the question best, best first, at most 6; none when none fits. */
  passagesFor(companyId: CompanyId, question: string, signal: AbortSignal): Promise<readonly AnswerSource[]> {
    return this.finder.find(companyId, question, signal);
  }

  /** Newest first. */
  list(companyId: CompanyId): Promise<readonly ContextFile[]> {
    return this.files.list(companyId);
  }

  get(companyId: CompanyId, id: FileId): Promise<ContextFile> {
    return this.files.get(companyId, id);
  }

  /** How many files the company has in each state. */
  async counts(companyId: CompanyId): Promise<Readonly<Record<FileStatus, number>>> {
    const counted = FILE_STATUSES.map(
      async (status) => [status, await this.files.countOf(companyId, { status, deletedAt: null })] as const,
    );
    return Object.fromEntries(await Promise.all(counted)) as Record<FileStatus, number>;
  }
}
