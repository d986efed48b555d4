import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { AllowedAddresses } from '../../src/adapters/places/allowed-addresses.js';
import { fetchMysql, fetchPostgresql } from '../../src/adapters/places/databases.js';
import type { PlaceRules, PlaceSink } from '../../src/adapters/places/place-protocol.js';
import { ProcessPlaceReader } from '../../src/adapters/places/process-place-reader.js';
import { fetchHttps, fetchS3 } from '../../src/adapters/places/web-places.js';
import type { WrittenCsv } from '../../src/ports/csv-inspector.js';
import type { FetchedFile, FileVersion, Place, PlaceReader } from '../../src/ports/place-reader.js';
import { isAppError, type AppError } from '../../src/shared/app-error.js';

export const PATIENT = new AbortController().signal;
export const LOCAL = ['127.0.0.1'];

interface ReaderOptions {
  readonly networks?: readonly string[];
  readonly nameServers?: readonly string[];
  readonly timeoutMs?: number;
}

export function aReader({ networks = LOCAL, nameServers = [], timeoutMs = 60_000 }: ReaderOptions = {}): PlaceReader {
  return new ProcessPlaceReader({ networks, nameServers }, { timeoutMs, minBytesPerSecond: 1024 });
}

type Opening = Pick<PlaceReader, 'open'>;

/** The same without a process, where only what is asked and answered matters: that takes a tenth of the time. */
export function aReaderHere({ networks = LOCAL, nameServers = [] }: ReaderOptions = {}): Opening {
  const rules = { networks, nameServers, queryMs: 60_000 };
  return { open: (place) => openedHere(place, rules) };
}

function openedHere(place: Place, rules: PlaceRules): Promise<FetchedFile> {
  return new Promise((resolve, reject) => {
    const source = new PassThrough();
    // Whoever reads it by then learns of it; before that `open` is what fails.
    source.on('error', () => undefined);
    const sink: PlaceSink = {
      open: (told) => {
        if (told !== null) resolve({ source, ...told });
      },
      write: async (bytes) => {
        if (!source.write(bytes)) await once(source, 'drain');
      },
    };
    const fetches = { https: fetchHttps, s3: fetchS3, postgresql: fetchPostgresql, mysql: fetchMysql };
    fetches[place.kind]({ place, unless: null, rules }, new AllowedAddresses(rules), sink).then(
      () => source.end(),
      (thrown: unknown) => {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        reject(error);
        source.destroy(error);
      },
    );
  });
}

export function aPlace(place: Partial<Place> & Pick<Place, 'kind' | 'address'>): Place {
  return { user: '', secret: '', query: '', ca: '', tls: true, ...place };
}

export interface Fetched {
  readonly text: string;
  readonly bytes: Buffer;
  readonly written: WrittenCsv | null;
  readonly version: FileVersion | null;
}

export async function fetched(place: Place, reader: Opening = aReader(), signal = PATIENT): Promise<Fetched> {
  const { source, written, version } = await reader.open(place, signal);
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return { text: bytes.toString('utf8'), bytes, written, version };
}

/** How a fetch fails, at its beginning or later. */
export async function refusal(place: Place, reader: Opening = aReaderHere()): Promise<AppError> {
  const error: unknown = await fetched(place, reader).then(
    ({ text }) => new Error(`nothing failed: ${text.slice(0, 200)}`),
    (thrown: unknown) => thrown,
  );
  if (!isAppError(error)) throw new Error(`no AppError: ${String(error)}`);
  return error;
}
