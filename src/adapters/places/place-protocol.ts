import type { FetchedFile, FileVersion, Place } from '../../ports/place-reader.js';
import { AppError } from '../../shared/app-error.js';
import { tame } from '../../shared/tame.js';

/** Whom places may be asked of besides the public internet. */
export interface PlaceRules {
  /** Addresses and networks, as the operator has written them. */
  readonly networks: readonly string[];
  /** Who knows names; empty: whom the system asks. */
  readonly nameServers: readonly string[];
  /** The most that a query may take. */
  readonly queryMs: number;
}

/** What a process that fetches is told; it writes what it gets to its output. */
export interface PlaceOrder {
  readonly place: Place;
  /** A file of this version is not wanted again; null: it is wanted in any case. */
  readonly unless: FileVersion | null;
  readonly rules: PlaceRules;
}

/** The first bytes are about to be written. Null: there is nothing new to write. */
export type PlaceTold = Opened | null;

type Opened = Omit<FetchedFile, 'source'>;

export interface PlaceSink {
  readonly open: (told: PlaceTold) => void;
  /** Resolves when there is room for more. */
  readonly write: (bytes: Buffer | string) => Promise<void>;
}

const LONGEST_SHOWN = 300;

/** What a place says, for people: on one line, without what can't be seen, and cut. */
export function shown(text: string): string {
  return tame(text, LONGEST_SHOWN);
}

/** Certificates that are not trusted, by Node's code for it. */
const TRUST = /^ERR_TLS_CERT|HANDSHAKE_SSL|CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|^ERR_SSL|EPROTO/;

/** Why a place can't be reached, by the code of the network: whether trying again makes sense. */
export function unreachable(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const kind = TRUST.test(code) ? 'invalid_input' : 'unavailable';
  return new AppError(kind, `the place can't be reached: ${code}`, { cause: error });
}
