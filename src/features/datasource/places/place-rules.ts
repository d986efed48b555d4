import type { Place } from '../../../ports/place-reader.js';
import { type AppError, invalidField } from '../../../shared/app-error.js';

const PROTOCOLS: Readonly<Record<Place['kind'], readonly string[]>> = {
  https: ['https:'],
  s3: ['s3:', 's3+https:', 's3+http:'],
  postgresql: ['postgresql:'],
  mysql: ['mysql:'],
};
const EXAMPLES: Readonly<Record<Place['kind'], string>> = {
  https: 'https://example.com/sales.csv',
  s3: 's3://bucket/sales.csv?region=eu-central-1 or s3+https://host/bucket/sales.csv',
  postgresql: 'postgresql://host:5432/database',
  mysql: 'mysql://host:3306/database',
};
/** What a header of HTTP may hold. */
const HEADER = /^[\t\x20-\x7e]*$/;
const CERTIFICATES = /^\s*-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----\s*$/;
const EXTENSION = /\.[a-z\d]{1,8}$/i;

export function isDatabase({ kind }: Pick<Place, 'kind'>): boolean {
  return kind === 'postgresql' || kind === 'mysql';
}

/** @throws AppError `invalid_input` naming the field of a place that can't be asked. */
export function assertPlace(place: Place): void {
  const { kind, query, user, secret, ca } = place;
  const isTable = isDatabase(place);
  assertAddress(place);
  assert('query', !isTable || query.trim() !== '', 'is required: the SELECT whose rows are fetched');
  assert('query', isTable || query === '', 'is for databases alone');
  assert('user', !isTable || user !== '', 'is required');
  assert('secret', kind !== 's3' || (user === '') === (secret === ''), 'and user belong together');
  assert('user', kind !== 'https' || user === '', 'is not for https: send the whole authorization header as secret');
  assert('secret', kind !== 'https' || HEADER.test(secret), 'must be what a header can hold');
  assert('ca', ca === '' || CERTIFICATES.test(ca), 'must be certificates in PEM');
}

function assertAddress({ kind, address, tls }: Place): void {
  const url = URL.canParse(address) ? new URL(address) : null;
  const rule = `must be like ${EXAMPLES[kind]}`;
  if (url === null) throw refused('address', rule);
  const { protocol, hostname, username, password, pathname } = url;
  assert('address', PROTOCOLS[kind].includes(protocol) && hostname !== '', rule);
  assert('address', username + password === '', 'must not hold a user or a password: send them as user and secret');
  const least = LEAST_PARTS[protocol] ?? 1;
  const parts = pathname.split('/').filter((part) => part !== '');
  assert('address', parts.length >= least && isDecodable(address), rule);
  assert('tls', tls || isDatabase({ kind }) || protocol === 's3+http:', 'can be false for databases alone');
}

/** Of the path: a bucket and a key, a key, a database. */
const LEAST_PARTS: Readonly<Record<string, number>> = { 'https:': 0, 's3+https:': 2, 's3+http:': 2 };

function isDecodable(address: string): boolean {
  try {
    decodeURIComponent(address);
    return true;
  } catch {
    return false;
  }
}

/** As everybody of the company may see it: a query part of an https address may be a secret. */
export function shownAddress({ kind, address }: Place): string {
  const url = new URL(address);
  return kind === 'https' ? `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}` : address;
}

/** What the file is called: by the end of its address, or by the database. Of the same place always the same. */
export function fileNameOf(place: Place): string {
  const last = new URL(place.address).pathname.split('/').findLast((part) => part !== '') ?? place.kind;
  const name = decodeURIComponent(last).replace(/[\p{Cc}/\\]/gu, '_');
  return EXTENSION.test(name) && !isDatabase(place) ? name : `${name}.csv`;
}

function assert(field: string, isRight: boolean, problem: string): void {
  if (!isRight) throw refused(field, problem);
}

function refused(field: string, problem: string): AppError {
  return invalidField(field, `${field} ${problem}`);
}
