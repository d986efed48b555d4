import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type _Object,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import {
  type LocalFile,
  type ObjectArea,
  type ObjectKey,
  ObjectStore,
  type StorageState,
  type StoredObject,
} from '../../ports/object-store.js';
import { AppError } from '../../shared/app-error.js';
import { asId, type CompanyId } from '../../shared/ids.js';
import { isRecord } from '../../shared/json.js';
import { Metered } from './metered.js';
import { clientOf, type S3Address, statusOf } from './s3-address.js';
import { alreadyThere, away, isPossible, notAllowed, notThere, storageError } from './storage-error.js';

/** S3 takes 10,000 parts: enough for 10 GiB and twice that. */
const PART_BYTES = 8 * 1024 ** 2;
const PARTS_AT_ONCE = 2;

/** Files in a bucket: `<prefix><area>/<company>/<name>`. Sent in parts as they come, there whole or not at all. */
export class S3ObjectStore extends ObjectStore {
  private readonly client: S3Client;
  private readonly writing = new Set<string>();

  /** Copies for child processes lie in `localFolder` as long as they are used. A request that has no answer after `patienceMs` is sent anew. */
  constructor(
    private readonly address: S3Address,
    private readonly localFolder: string,
    patienceMs = 120_000,
  ) {
    super();
    const { credentials } = address;
    this.client = new S3Client({
      ...clientOf(address),
      ...(credentials === null ? {} : { credentials }),
      maxAttempts: 3,
      requestHandler: { connectionTimeout: 10_000, requestTimeout: patienceMs, throwOnRequestTimeout: true },
    });
  }

  /** Makes the folder of copies anew: what lies there was left by a process that died. */
  async open(): Promise<void> {
    await rm(this.localFolder, { recursive: true, force: true });
    await mkdir(this.localFolder, { recursive: true });
  }

  override async write(key: ObjectKey, source: Readable, maxBytes: number): Promise<number> {
    // A sender may go away before anything is read; without a listener that would end the process.
    source.on('error', () => undefined);
    try {
      if (!isPossible(key)) throw notAllowed();
      return await this.writeAlone(key, source, maxBytes);
    } catch (error) {
      // Nobody will read the rest: whoever sends it is told.
      source.destroy();
      // Somebody else was first.
      throw [409, 412].includes(statusOf(error) ?? 0) ? alreadyThere() : s3Error(error);
    }
  }

  override async adopt(key: ObjectKey, path: string): Promise<void> {
    await this.write(key, createReadStream(path), Number.MAX_SAFE_INTEGER);
    await rm(path);
  }

  override placeOf(): null {
    return null;
  }

  override async read(key: ObjectKey): Promise<Readable> {
    if (!isPossible(key)) throw notThere();
    const found = await this.client.send(new GetObjectCommand(this.addressOf(key))).catch(unlessMissing);
    if (found?.Body === undefined) throw notThere();
    return found.Body as Readable;
  }

  override async stat(key: ObjectKey): Promise<StoredObject | null> {
    if (!isPossible(key)) return null;
    const found = await this.client.send(new HeadObjectCommand(this.addressOf(key))).catch(unlessMissing);
    return found && { key, size: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) };
  }

  override async localFile(key: ObjectKey): Promise<LocalFile> {
    const path = join(this.localFolder, randomUUID());
    const remove = (): Promise<void> => rm(path, { force: true });
    const source = await this.read(key);
    try {
      await pipeline(source, createWriteStream(path, { mode: 0o600 }));
    } catch (error) {
      await remove();
      throw s3Error(error);
    }
    return { path, [Symbol.asyncDispose]: remove };
  }

  override async remove(key: ObjectKey): Promise<boolean> {
    if ((await this.stat(key)) === null) return false;
    await this.client.send(new DeleteObjectCommand(this.addressOf(key))).catch(unlessMissing);
    return true;
  }

  override async *list(area: ObjectArea): AsyncGenerator<StoredObject> {
    const start = `${this.address.prefix}${area}/`;
    const pages = paginateListObjectsV2({ client: this.client }, { Bucket: this.address.bucket, Prefix: start });
    try {
      for await (const { Contents = [] } of pages) yield* Contents.flatMap((entry) => objectOf(entry, area, start));
    } catch (error) {
      throw s3Error(error);
    }
  }

  /** A bucket has no end that anybody tells. */
  override async check(): Promise<StorageState> {
    await this.client.send(new HeadBucketCommand({ Bucket: this.address.bucket })).catch((error: unknown) => {
      throw away(error);
    });
    return { freeBytes: Number.MAX_SAFE_INTEGER };
  }

  /** Not every storage knows `If-None-Match`; names are drawn at random, so that only this process could write one twice. */
  private async writeAlone(key: ObjectKey, source: Readable, maxBytes: number): Promise<number> {
    const place = this.addressOf(key).Key;
    if (this.writing.has(place)) throw alreadyThere();
    this.writing.add(place);
    try {
      if ((await this.stat(key)) !== null) throw alreadyThere();
      return await this.upload(key, new Metered(source, { maxBytes }));
    } finally {
      this.writing.delete(place);
    }
  }

  private async upload(key: ObjectKey, source: Metered): Promise<number> {
    const upload = new Upload({
      client: this.client,
      // Whoever comes second must not replace what the first has written meanwhile.
      params: { ...this.addressOf(key), Body: source.stream, IfNoneMatch: '*' },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
    });
    try {
      await upload.done();
      return source.size;
    } catch (error) {
      await upload.abort().catch(() => undefined);
      // An upload that fails aborts its source: that is not why.
      throw source.failure === null || source.failure.name === 'AbortError' ? error : source.failure;
    }
  }

  private addressOf({ companyId, area, name }: ObjectKey): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.address.bucket, Key: `${this.address.prefix}${area}/${companyId}/${name}` };
  }
}

/** None for what somebody else keeps in the bucket. */
function objectOf({ Key, Size, LastModified }: _Object, area: ObjectArea, start: string): readonly StoredObject[] {
  const [companyId = '', name = ''] = (Key ?? '').slice(start.length).split('/');
  const key = { companyId: asId<CompanyId>(companyId), area, name };
  return isPossible(key) ? [{ key, size: Size ?? 0, modifiedAt: LastModified ?? new Date(0) }] : [];
}

const FULL = ['QuotaExceeded', 'XMinioStorageFull', 'EntityTooLarge', 'InsufficientStorage'];

/** What an error of the storage means to a caller. Never names a host or a key. */
function s3Error(error: unknown): unknown {
  if (error instanceof AppError || statusOf(error) === null)
    return isNetwork(error) ? away(error) : storageError(error);
  if (isRecord(error) && FULL.includes(String(error['name']))) {
    return new AppError('no_space', 'no room left on the storage', { cause: error });
  }
  return away(error);
}

/** Null when it says that there is no such object. */
function unlessMissing(error: unknown): null {
  if (statusOf(error) === 404) return null;
  throw s3Error(error);
}

function isNetwork(error: unknown): boolean {
  if (!isRecord(error)) return false;
  const { code, name } = error;
  return name === 'TimeoutError' || /^E(CONN|HOST|NET|PIPE|TIMEDOUT|AI_AGAIN|NOTFOUND)/.test(String(code));
}
