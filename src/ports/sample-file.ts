import type { Readable } from 'node:stream';

/** The data that come with the service, for who has none at hand. */
export abstract class SampleFile {
  abstract readonly name: string;
  abstract open(): Readable;
}
