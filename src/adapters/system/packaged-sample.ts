import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { SampleFile } from '../../ports/sample-file.js';

/** Stands beside `src` and `dist` alike. */
const FILE = fileURLToPath(new URL('../../../samples/weather.csv', import.meta.url));

export class PackagedSample extends SampleFile {
  override readonly name = 'weather-sample.csv';

  override open(): Readable {
    return createReadStream(FILE);
  }
}
