import { Injectable } from '@nestjs/common';
import type { CompanyId, UserId } from '../../shared/ids.js';
import { UploadFiles } from './upload/upload-files.js';
import { UploadRepository } from './upload/upload.repository.js';

/** The door to uploads for other features. */
@Injectable()
export class UploadsFacade {
  constructor(
    private readonly uploads: UploadRepository,
    private readonly files: UploadFiles,
  ) {}

  /** Removes what somebody has uploaded and made nothing of. */
  async removeOf(companyId: CompanyId, userId: UserId): Promise<void> {
    for (const { storageKey } of await this.uploads.ofUser(companyId, userId)) {
      // The record goes first: whoever takes it meanwhile keeps the file.
      if (await this.uploads.take(companyId, storageKey)) await this.files.remove(companyId, storageKey);
    }
  }
}
