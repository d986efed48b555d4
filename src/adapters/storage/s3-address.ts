import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { isRecord } from '../../shared/json.js';

/** Where a bucket is, and who asks. */
export interface S3Address {
  /** Null: Amazon's own, by region. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly bucket: string;
  /** Of every key; empty, or ends in a slash. */
  readonly prefix: string;
  /** Null: as the environment of the process says (variables, files, roles). */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

const DEFAULT_REGION = 'us-east-1';

/**
 * Reads `s3://bucket/prefix?region=…` (Amazon) or `s3+https://key:secret@host:port/bucket/prefix?region=…` (any compatible storage;
 * `s3+http` without encryption). Key and secret are percent-encoded.
 *
 * @throws TypeError without the text, which holds a secret.
 */
export function s3Address(text: string): S3Address {
  const url = urlOf(text);
  const isAmazon = url.protocol === 's3:';
  const parts = (isAmazon ? `${url.hostname}/${url.pathname}` : url.pathname).split('/').filter((part) => part !== '');
  const [bucket, ...rest] = parts;
  if (bucket === undefined || url.hostname === '') throw new TypeError('no bucket is named');
  return {
    endpoint: isAmazon ? null : `${url.protocol.slice(3)}//${url.host}`,
    region: url.searchParams.get('region') ?? DEFAULT_REGION,
    bucket,
    prefix: rest.map((part) => `${part}/`).join(''),
    credentials: credentialsOf(url),
  };
}

function credentialsOf({ username, password }: URL): S3Address['credentials'] {
  if (username === '' && password === '') return null;
  if (username === '' || password === '') throw new TypeError('a key and its secret belong together');
  return { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) };
}

function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && ['s3:', 's3+http:', 's3+https:'].includes(url.protocol)) return url;
  throw new TypeError('no address of a bucket');
}

/** How a client reaches it. Older and smaller storages don't know the newer checksums. */
export function clientOf({ endpoint, region }: Pick<S3Address, 'endpoint' | 'region'>): S3ClientConfig {
  return {
    region,
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  };
}

/** Of an answer that an error tells of; null: there was none. */
export function statusOf(error: unknown): number | null {
  const metadata = isRecord(error) ? error['$metadata'] : null;
  const status = isRecord(metadata) ? metadata['httpStatusCode'] : null;
  return typeof status === 'number' ? status : null;
}
