import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../config/app-config.js';
import { CsvInspector, type CsvDescription } from '../../../ports/csv-inspector.js';
import { ObjectStore, type ObjectKey, type StoredObject } from '../../../ports/object-store.js';
import { AppError } from '../../../shared/app-error.js';
import type { CompanyId } from '../../../shared/ids.js';

/** The bytes of uploads, and how they are read. */
@Injectable()
export class UploadFiles {
  constructor(
    private readonly objects: ObjectStore,
    private readonly inspector: CsvInspector,
    private readonly config: AppConfig,
  ) {}

  write(companyId: CompanyId, storageKey: string, source: Readable): Promise<number> {
    return this.objects.write(uploadKey(companyId, storageKey), source, this.config.limits.uploadMaxBytes);
  }

  async describe(companyId: CompanyId, storageKey: string): Promise<CsvDescription> {
    await using file = await this.objects.localFile(uploadKey(companyId, storageKey));
    const description = await this.inspector.describe(file.path);
    if (description.samples.length > 0) return description;
    throw new AppError('invalid_input', 'the file has a header but no rows');
  }

  /** Of all companies, for the sweeper. */
  all(): AsyncIterable<StoredObject> {
    return this.objects.list('uploads');
  }

  remove(companyId: CompanyId, storageKey: string): Promise<boolean> {
    return this.objects.remove(uploadKey(companyId, storageKey));
  }
}

export function uploadKey(companyId: CompanyId, storageKey: string): ObjectKey {
  return { companyId, area: 'uploads', name: storageKey };
}
