import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { DocumentReader, type DocumentBlock, type RecognisedDocument } from '../../../ports/document-reader.js';
import { ObjectStore, type ObjectKey, type StoredObject } from '../../../ports/object-store.js';
import type { CompanyId } from '../../../shared/ids.js';
import type { ContextFile } from '../context-file.schema.js';
import { MAX_FILE_BYTES } from '../limits.js';

/** The bytes of context files, and how they are read. */
@Injectable()
export class DocumentFiles {
  constructor(
    private readonly objects: ObjectStore,
    private readonly reader: DocumentReader,
  ) {}

  write(companyId: CompanyId, storageKey: string, source: Readable): Promise<number> {
    return this.objects.write(documentKey(companyId, storageKey), source, MAX_FILE_BYTES);
  }

  async recognise(companyId: CompanyId, storageKey: string): Promise<RecognisedDocument> {
    await using file = await this.objects.localFile(documentKey(companyId, storageKey));
    return await this.reader.recognise(file.path);
  }

  /** @throws what `DocumentReader.read` throws. */
  async read({ companyId, storageKey, type }: ContextFile, signal: AbortSignal): Promise<readonly DocumentBlock[]> {
    await using file = await this.objects.localFile(documentKey(companyId, storageKey));
    return await this.reader.read(file.path, type, signal);
  }

  remove(companyId: CompanyId, storageKey: string): Promise<boolean> {
    return this.objects.remove(documentKey(companyId, storageKey));
  }

  /** Of all companies, for the sweeper. */
  all(): AsyncIterable<StoredObject> {
    return this.objects.list('documents');
  }
}

function documentKey(companyId: CompanyId, storageKey: string): ObjectKey {
  return { companyId, area: 'documents', name: storageKey };
}
