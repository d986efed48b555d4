import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { DocumentType } from '../../../ports/document-reader.js';
import { IdSource } from '../../../ports/id-source.js';
import type { CompanyId } from '../../../shared/ids.js';
import { emptyFile, unsupportedType } from '../context-file.errors.js';
import { cleanFileName } from '../file-name.js';
import { DocumentFiles } from './document-files.js';

/** A document whose bytes are stored and that no record names yet. */
export interface ReceivedDocument {
  readonly filename: string;
  readonly storageKey: string;
  readonly type: DocumentType;
  readonly size: number;
}

/** Stores documents as they arrive and looks at what they are. */
@Injectable()
export class DocumentReceiver {
  constructor(
    private readonly documents: DocumentFiles,
    private readonly ids: IdSource,
  ) {}

  /** @throws AppError `unsupported_type` or `invalid_input`, naming the file; then nothing of it is kept. */
  async receive(companyId: CompanyId, name: string, source: Readable): Promise<ReceivedDocument> {
    const filename = cleanFileName(name);
    const storageKey = this.ids.token();
    const size = await this.documents.write(companyId, storageKey, source);
    try {
      if (size === 0) throw emptyFile(filename);
      const recognised = await this.documents.recognise(companyId, storageKey);
      if (!recognised.supported) throw unsupportedType(filename, recognised.mediaType);
      return { filename, storageKey, type: recognised.type, size };
    } catch (error) {
      await this.documents.remove(companyId, storageKey);
      throw error;
    }
  }

  /** Never rejects: why they are not wanted is the more important failure. */
  async discard(companyId: CompanyId, documents: readonly ReceivedDocument[]): Promise<void> {
    for (const { storageKey } of documents) {
      // What can't be removed now is swept.
      await this.documents.remove(companyId, storageKey).catch(() => undefined);
    }
  }
}
