import { ProcessPlaceReader } from '../../src/adapters/places/process-place-reader.js';
import type { WrittenCsv } from '../../src/ports/csv-inspector.js';
import type { FileVersion, Place, PlaceReader } from '../../src/ports/place-reader.js';
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

export function aPlace(place: Partial<Place> & Pick<Place, 'kind' | 'address'>): Place {
  return { user: '', secret: '', query: '', ca: '', tls: true, ...place };
}

export interface Fetched {
  readonly text: string;
  readonly bytes: Buffer;
  readonly written: WrittenCsv | null;
  readonly version: FileVersion | null;
}

export async function fetched(place: Place, reader = aReader(), signal = PATIENT): Promise<Fetched> {
  const { source, written, version } = await reader.open(place, signal);
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return { text: bytes.toString('utf8'), bytes, written, version };
}

/** How a fetch fails, at its beginning or later. */
export async function refusal(place: Place, reader = aReader(), signal = PATIENT): Promise<AppError> {
  const error: unknown = await fetched(place, reader, signal).then(
    ({ text }) => new Error(`nothing failed: ${text.slice(0, 200)}`),
    (thrown: unknown) => thrown,
  );
  if (!isAppError(error)) throw new Error(`no AppError: ${String(error)}`);
  return error;
}
