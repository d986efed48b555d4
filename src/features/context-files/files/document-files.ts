import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Sweeper } from '../../../queue/reconciler.js';
import { DocumentReader, type DocumentBlock, type RecognisedDocument } from '../../../ports/document-reader.js';
import { ObjectStore, type ObjectKey, type StoredObject } from '../../../ports/object-store.js';
import type { CompanyId } from '../../../shared/ids.js';
import { type ContextFile, MAX_FILE_BYTES } from '../context-file.schema.js';
import { Clock } from '../../../ports/clock.js';
import { Instance } from '../../../ports/instance.js';
import { ContextFileRepository } from '../context-file.repository.js';
import { DAY_MS } from '../../../shared/durations.js';

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

/** Removes bytes that no record names, because the process died while a request was received. */
@Injectable()
export class DocumentSweeper extends Sweeper {
  protected override readonly failure = 'documents of nobody could not be removed';

  constructor(
    private readonly files: ContextFileRepository,
    private readonly documents: DocumentFiles,
    private readonly instance: Instance,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** Before the first request nothing can be under way, unless other instances live. */
  override async onApplicationBootstrap(): Promise<void> {
    if (this.instance.alone) await this.tried(() => this.sweep(this.clock.now()));
  }

  /** Removes those that are older: a day, unless it is said. */
  override async sweep(before = new Date(this.clock.now().getTime() - DAY_MS)): Promise<void> {
    for await (const { key, modifiedAt } of this.documents.all()) {
      // Deleted records still name theirs.
      const named = { storageKey: key.name };
      if (modifiedAt >= before || (await this.files.countOf(key.companyId, named)) > 0) continue;
      await this.documents.remove(key.companyId, key.name);
    }
  }
}
