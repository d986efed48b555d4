import { Transform, type Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { LimitsConfig } from '../config/app-config.js';
import { AppError, invalidField, isAppError } from '../shared/app-error.js';
import { endInTime, takeTime } from './body-deadline.js';

const PART_OVERHEAD = 64 * 1024;
const GRACE_MS = 30_000;
const PACE_MS = 5_000;

type UploadLimits = Pick<LimitsConfig, 'uploadMaxBytes' | 'uploadMinBytesPerSecond'>;

export interface FilesLimits {
  readonly maxFiles: number;
  /** Of each file. */
  readonly maxBytes: number;
  readonly minBytesPerSecond: number;
}

/** How one file may arrive. */
interface PartRules {
  readonly fields: readonly string[];
  readonly minBytesPerSecond: number;
  /** It is no file, or under another field. */
  readonly missing: () => AppError;
  readonly tooLarge: (name: string) => AppError;
  /** What is wrong with what follows the file. It is asked before the file counts as whole. */
  readonly problemBehind?: () => Promise<AppError | null>;
}

/** The file that a form is to hold. */
export interface FileForm<P extends Disposable> {
  readonly field: string;
  readonly limits: UploadLimits;
  /** Called before anything of the body is read, with its length if the sender gives one. What it returns is disposed of at the end. */
  readonly admit: (announcedBytes: number | null) => Promise<P>;
}

/**
 * Streams the one file of a multipart body into `sink`, never held in memory.
 *
 * @throws what `admit` and `sink` throw; AppError `too_large` (before reading when Content-Length says so), `unsupported_type` when the body is
 *   no multipart form, `invalid_input` when the field is missing or holds more than one file, the client sends too slowly, or goes away.
 */
export async function receiveFile<P extends Disposable, T>(
  request: FastifyRequest,
  { field, limits, admit }: FileForm<P>,
  sink: (source: Readable, originalName: string, admitted: P) => Promise<T>,
): Promise<T> {
  assertMultipart(request);
  assertFits(request, limits.uploadMaxBytes);
  takeTime(request);
  try {
    using admitted = await admit(announcedBytes(request));
    const { uploadMaxBytes, uploadMinBytesPerSecond: minBytesPerSecond } = limits;
    assertThere(request);
    const parts = request.files();
    const next = (): Promise<IteratorResult<MultipartFile, unknown>> =>
      inTime(parts.next(), slownessOf(bytesOf(request), minBytesPerSecond));
    const first = await next();
    const rules: PartRules = {
      fields: [field],
      minBytesPerSecond,
      missing: () => invalidField(field, 'is required', `the form field ${field} must hold a file`),
      tooLarge: () => tooLarge(uploadMaxBytes),
      problemBehind: async () => {
        const more = await next();
        if (more.done === true) return null;
        more.value.file.resume();
        void drained(parts);
        return problemOf([field], 'may hold one file');
      },
    };
    const part = first.done === true ? undefined : first.value;
    return await receivePart(part, request, rules, (source, name) => sink(source, name, admitted));
  } finally {
    // Whoever is still sending gets to read the answer.
    request.raw.resume();
    endInTime(request);
  }
}

/**
 * Streams the files of a multipart body into `sink`, one after the other, never held in memory. Fields that are no files are ignored.
 *
 * @throws what `sink` throws; AppError `too_large` for a file over its limit, naming it, `unsupported_type` when the body is no
 *   multipart form, `invalid_input` for no file, too many, one under another field, and a client that sends too slowly or goes away.
 */
export async function receiveFiles(
  request: FastifyRequest,
  fields: readonly string[],
  limits: FilesLimits,
  sink: (source: Readable, originalName: string) => Promise<void>,
): Promise<void> {
  assertMultipart(request);
  assertFits(request, limits.maxFiles * limits.maxBytes);
  // One more than is allowed, so that it is refused in our words.
  const parserLimits = { fileSize: limits.maxBytes, files: limits.maxFiles + 1 };
  const parts = request.files({ limits: parserLimits, throwFileSizeLimit: false });
  const rules: PartRules = {
    fields,
    minBytesPerSecond: limits.minBytesPerSecond,
    missing: () => problemOf(fields, 'must hold a file'),
    tooLarge: (name) => tooLarge(limits.maxBytes, { field: fields[0] ?? '', name }),
  };
  takeTime(request);
  try {
    let count = 0;
    for await (const part of patient(parts, request, limits.minBytesPerSecond)) {
      count += 1;
      if (count > limits.maxFiles) throw problemOf(fields, `may hold up to ${limits.maxFiles} files`);
      await receivePart(part, request, rules, sink);
    }
    if (count === 0) throw rules.missing();
  } catch (error) {
    // The answer must not wait for the rest, and the rest must not stand in its way.
    void drained(parts);
    throw error;
  } finally {
    endInTime(request);
  }
}

/** What the sink does not want must not hold the connection, nor fail later with nobody listening. */
async function receivePart<T>(
  part: MultipartFile | undefined,
  request: FastifyRequest,
  rules: PartRules,
  sink: (source: Readable, originalName: string) => Promise<T>,
): Promise<T> {
  // A part without a file name has none at all, whatever its type says.
  const name = part?.filename ?? '';
  if (part === undefined || !rules.fields.includes(part.fieldname) || name === '') {
    part?.file.resume();
    throw rules.missing();
  }
  // A body that was there at once, and without its end, has failed before anybody could listen.
  if (part.file.destroyed) throw brokenOff();
  const source = watched(part, request, rules);
  source.on('error', () => undefined);
  try {
    return await sink(source, name);
  } finally {
    part.file.unpipe();
    source.destroy();
    part.file.resume();
  }
}

/** The parts as they come. A client that sends next to nothing between two files is not waited for. */
async function* patient(
  parts: AsyncIterator<MultipartFile>,
  request: FastifyRequest,
  minBytesPerSecond: number,
): AsyncGenerator<MultipartFile> {
  const isTooSlow = slownessOf(bytesOf(request), minBytesPerSecond);
  for (;;) {
    assertThere(request);
    const next = await inTime(parts.next(), isTooSlow);
    if (next.done === true) return;
    yield next.value;
  }
}

/** What its connection has brought so far. */
function bytesOf({ raw: { socket } }: FastifyRequest): () => number {
  return () => socket.bytesRead;
}

/** Whether less has arrived since now than must. */
function slownessOf(bytesSoFar: () => number, minBytesPerSecond: number): () => boolean {
  const began = { at: Date.now(), bytes: bytesSoFar() };
  return () => {
    const elapsed = Date.now() - began.at;
    return elapsed >= GRACE_MS && ((bytesSoFar() - began.bytes) * 1000) / elapsed < minBytesPerSecond;
  };
}

async function inTime<T>(next: Promise<T>, isTooSlow: () => boolean): Promise<T> {
  let pace: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    pace = setInterval(() => {
      if (isTooSlow()) reject(tooSlowly());
    }, PACE_MS);
  });
  try {
    return await Promise.race([next, late]);
  } catch (error) {
    if (isAppError(error)) throw error;
    throw new AppError('invalid_input', 'the multipart body is malformed', { cause: error });
  } finally {
    clearInterval(pace);
  }
}

/** Reads on without keeping anything, so that whoever is still sending gets to read the answer. */
async function drained(parts: AsyncIterable<MultipartFile>): Promise<void> {
  try {
    for await (const { file } of parts) file.resume();
  } catch {
    // Whatever is wrong with the rest, the request has its answer.
  }
}

function problemOf(fields: readonly string[], problem: string): AppError {
  const field = fields[0] ?? '';
  return invalidField(field, problem, `the form field ${field} ${problem}`);
}

function tooSlowly(): AppError {
  return new AppError('invalid_input', 'the upload is too slow');
}

function brokenOff(): AppError {
  return new AppError('invalid_input', 'the upload was broken off');
}

/** The parser waits for the end of a connection, and hears nothing of one that has ended before. */
function assertThere({ raw }: FastifyRequest): void {
  if (raw.destroyed && !raw.readableEnded) throw brokenOff();
}

function assertMultipart(request: FastifyRequest): void {
  if (request.isMultipart()) return;
  throw new AppError('unsupported_type', 'the body must be multipart/form-data');
}

function assertFits(request: FastifyRequest, maxBytes: number): void {
  if ((announcedBytes(request) ?? 0) <= maxBytes + PART_OVERHEAD) return;
  throw tooLarge(maxBytes);
}

function announcedBytes({ headers }: FastifyRequest): number | null {
  const length = headers['content-length'];
  return length === undefined ? null : Number(length);
}

function tooLarge(maxBytes: number, file: { readonly field: string; readonly name: string } | null = null): AppError {
  const problem = `is larger than ${maxBytes} bytes`;
  const details = file === null ? [] : [{ field: file.field, problem: `${file.name.slice(-255)} ${problem}` }];
  return new AppError('too_large', `the file ${problem}`, { details });
}

/** The part's bytes, ended with an error when it was cut at the limit, arrives too slowly, or its sender went away. */
function watched(part: MultipartFile, request: FastifyRequest, rules: PartRules): Readable {
  let received = 0;
  const isTooSlow = slownessOf(() => received, rules.minBytesPerSecond);
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done): void {
      received += chunk.length;
      done(null, chunk);
    },
    flush(done): void {
      // The parser ends a file at its limit as if that were all of it.
      if (part.file.truncated) done(rules.tooLarge(part.filename));
      else if (rules.problemBehind === undefined) done();
      else void rules.problemBehind().then(done, done);
    },
  });
  const fail = (error: AppError): void => {
    meter.destroy(error);
  };
  const pace = setInterval(() => {
    if (isTooSlow()) fail(tooSlowly());
  }, PACE_MS);
  const gone = (): void => {
    if (!request.raw.complete) fail(brokenOff());
  };
  request.raw.once('close', gone);
  meter.once('close', () => {
    clearInterval(pace);
    request.raw.off('close', gone);
  });
  part.file.once('error', () => {
    fail(brokenOff());
  });
  return part.file.pipe(meter);
}
