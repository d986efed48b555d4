import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent } from 'node:https';
import type { Readable } from 'node:stream';
import { GetObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { FileVersion, Place } from '../../ports/place-reader.js';
import { AppError } from '../../shared/app-error.js';
import { Deadline } from '../../shared/deadline.js';
import { hostOf } from '../../shared/public-address.js';
import { answerTo, requestTo } from '../network/checked-addresses.js';
import { clientOf, s3Address, statusOf } from '../storage/s3-address.js';
import type { AllowedAddresses } from './allowed-addresses.js';
import { type PlaceOrder, type PlaceSink, shown, unreachable } from './place-protocol.js';

const MOST_REDIRECTS = 5;
/** Until the place begins to answer. */
const ANSWER_MS = 30_000;
/** Packed files are known by their bytes; others could not be told from what they hold. */
const TAKEN_ENCODINGS = ['identity', 'gzip', 'x-gzip', 'zstd'];

/** What is asked for, unless it is of this version. */
type Asked = Pick<PlaceOrder, 'place' | 'unless'>;

/** @throws AppError as the port says. */
export async function fetchHttps(
  { place, unless }: Asked,
  addresses: AllowedAddresses,
  sink: PlaceSink,
): Promise<void> {
  const first = new URL(place.address);
  let url = first;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    // Who is sent elsewhere does not take the credentials along.
    const secret = url.origin === first.origin ? place.secret : '';
    const answer = await ask(url, { secret, ca: place.ca, unless }, addresses);
    const next = redirectOf(answer, url);
    const isUnchanged = answer.statusCode === 304 && unless !== null;
    if (next === null && !isUnchanged) return send(answer, sink);
    answer.destroy();
    if (next === null) {
      sink.open(null);
      return;
    }
    url = next;
  }
  throw new AppError('invalid_input', `the place redirects more than ${MOST_REDIRECTS} times`);
}

async function ask(
  url: URL,
  { secret, ca, unless }: Pick<Place, 'secret' | 'ca'> & Pick<PlaceOrder, 'unless'>,
  addresses: AllowedAddresses,
): Promise<IncomingMessage> {
  if (url.protocol !== 'https:') throw new AppError('invalid_input', 'the place redirects to an address without https');
  const headers = {
    'user-agent': 'data-analytics-service',
    'accept-encoding': 'identity',
    ...(secret === '' ? {} : { authorization: secret }),
    ...(unless?.etag == null ? {} : { 'if-none-match': unless.etag }),
    ...(unless?.lastModified == null ? {} : { 'if-modified-since': unless.lastModified }),
  };
  const request = requestTo(url, await addresses.lookupOf(hostOf(url), true), headers);
  // It ends with the answer's head: a file may take longer.
  using deadline = new Deadline(ANSWER_MS);
  return await answerTo({ ...request, ...(ca === '' ? {} : { ca }), signal: deadline.signal }).catch(
    (error: unknown) => {
      const isLate = error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name);
      throw isLate ? new AppError('unavailable', 'the place did not answer in time') : unreachable(error);
    },
  );
}

function redirectOf({ statusCode, headers: { location } }: IncomingMessage, from: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(statusCode ?? 0) || location === undefined) return null;
  if (URL.canParse(location, from.href)) return new URL(location, from);
  throw new AppError('invalid_input', 'the place redirects to what is no address');
}

async function send(answer: IncomingMessage, sink: PlaceSink): Promise<void> {
  const { statusCode = 0, headers } = answer;
  if (statusCode !== 200) {
    const kind = statusCode >= 500 || [408, 425, 429].includes(statusCode) ? 'unavailable' : 'invalid_input';
    throw new AppError(kind, `the place answered ${statusCode}`);
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (!TAKEN_ENCODINGS.includes(encoding.toLowerCase())) {
    throw new AppError('invalid_input', `the place sends the file in an encoding that is not read: ${shown(encoding)}`);
  }
  const { etag = null, 'last-modified': lastModified = null } = headers;
  await pour(answer, { etag, lastModified }, sink);
}

async function pour(source: Readable, version: FileVersion, sink: PlaceSink): Promise<void> {
  sink.open({ written: null, version: version.etag === null && version.lastModified === null ? null : version });
  try {
    for await (const chunk of source) await sink.write(chunk as Buffer);
  } catch (error) {
    throw new AppError('unavailable', 'the place broke off in the middle of the file', { cause: error });
  }
}

/** Without credentials the object is asked for as anybody may: whoever this service is to its cloud is nobody's business. */
export async function fetchS3({ place, unless }: Asked, addresses: AllowedAddresses, sink: PlaceSink): Promise<void> {
  const { endpoint, region, bucket, prefix } = s3Address(place.address);
  const key = decodeURIComponent(prefix.replace(/\/$/, ''));
  if (key === '') throw new AppError('invalid_input', 'the address names no object of the bucket');
  if (endpoint !== null) {
    const url = new URL(endpoint);
    await addresses.lookupOf(hostOf(url), url.protocol !== 'http:');
  }
  const client = new S3Client({
    ...clientOf({ endpoint, region }),
    ...credentialsOf(place),
    maxAttempts: 2,
    requestHandler: {
      httpsAgent: new Agent({ lookup: addresses.lookup(true), ...(place.ca === '' ? {} : { ca: place.ca }) }),
      httpAgent: new HttpAgent({ lookup: addresses.lookup(false) }),
      connectionTimeout: 10_000,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
    },
  });
  // Objects have an ETag always, which is exact to the byte.
  const only = unless?.etag == null ? {} : { IfNoneMatch: unless.etag };
  const wanted = new GetObjectCommand({ Bucket: bucket, Key: key, ...only });
  const answer = await client.send(wanted).catch((error: unknown) => {
    if (statusOf(error) === 304 && unless !== null) return null;
    throw refusalOf(error);
  });
  if (answer === null) {
    sink.open(null);
    return;
  }
  if (answer.Body === undefined) throw new AppError('unavailable', 'the place sent no object');
  await pour(answer.Body as Readable, { etag: answer.ETag ?? null, lastModified: null }, sink);
}

function credentialsOf({ user, secret }: Place): Pick<S3ClientConfig, 'credentials' | 'signer'> {
  const credentials = { accessKeyId: user, secretAccessKey: secret };
  return secret === '' ? { credentials, signer: { sign: (unsigned) => Promise.resolve(unsigned) } } : { credentials };
}

function refusalOf(error: unknown): AppError {
  const status = statusOf(error);
  if (status === null) return unreachable(error);
  const name = error instanceof Error ? error.name : 'unknown';
  const kind = status >= 500 ? 'unavailable' : 'invalid_input';
  return new AppError(kind, `the storage answered ${status}: ${shown(name)}`);
}
