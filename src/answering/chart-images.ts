import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { IdSource } from '../ports/id-source.js';
import { ObjectStore } from '../ports/object-store.js';
import type { CompanyId } from '../shared/ids.js';

const MAX_IMAGE_BYTES = 16 * 1024 * 1024;

/** Keeps the pictures of charts under file names that nobody can guess. */
@Injectable()
export class ChartImages {
  constructor(
    private readonly objects: ObjectStore,
    private readonly ids: IdSource,
  ) {}

  /**
   * Stores the picture and returns its file name, by which the company's users can get it.
   *
   * @throws AppError `no_space`, `unavailable`
   */
  async keep(companyId: CompanyId, png: Buffer): Promise<string> {
    const name = `${this.ids.token()}.png`;
    await this.objects.write({ companyId, area: 'images', name }, Readable.from([png]), MAX_IMAGE_BYTES);
    return name;
  }
}
