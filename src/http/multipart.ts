import { Transform, type Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError, invalidField, isAppError } from '../shared/app-error.js';
import { endInTime, takeTime } from './body-deadline.js';

const PART_OVERHEAD = 64 * 1024;
const GRACE_MS = 30_000;
const PACE_MS = 5_000;

/** How the files of a form may arrive. */
export interface FilesForm {
  /** Those that may hold a file; the first is told to who sends none. */
  readonly fields: readonly [string, ...string[]];
  readonly maxFiles: number;
  /** Of each file. */
  readonly maxBytes: number;
  readonly minBytesPerSecond: number;
}

/** The one file that a form is to hold. */
export interface FileForm<P extends Disposable> extends Pick<FilesForm, 'maxBytes' | 'minBytesPerSecond'> {
  readonly field: string;
  /** Called before anything of the body is read, with its length if the sender gives one. What it returns is disposed of at the end. */
  readonly admit: (announcedBytes: number | null) => Promise<P>;
}

/** One without a file name has none at all, whatever the package's type says. */
type Part = Omit<MultipartFile, 'filename'> & { readonly filename?: string };

type Sink<T> = (source: Readable, originalName: string) => Promise<T>;

/**
 * Streams the one file of a multipart body into `sink`, never held in memory.
 *
 * @throws what `admit` and `sink` throw; AppError as `receiveFiles` does.
 */
export function receiveFile<P extends Disposable, T>(
  request: FastifyRequest,
  { field, admit, ...limits }: FileForm<P>,
  sink: (source: Readable, originalName: string, admitted: P) => Promise<T>,
): Promise<T> {
  const form: FilesForm = { ...limits, fields: [field], maxFiles: 1 };
  return inOwnTime(request, form, async () => {
    using admitted = await admit(announcedBytes(request));
    const files = received(request, form, (source, name) => sink(source, name, admitted));
    for await (const file of files) return file;
    throw missing(form);
  });
}

/**
 * Streams the files of a multipart body into `sink`, one after the other, never held in memory. Fields that are no files are ignored.
 *
 * @throws what `sink` throws; AppError `too_large` for a file over its limit, naming it (before reading when Content-Length says so),
 *   `unsupported_type` when the body is no multipart form, `invalid_input` for no file, too many, one under another field, and a client that
 *   sends too slowly or goes away.
 */
export function receiveFiles(request: FastifyRequest, form: FilesForm, sink: Sink<void>): Promise<void> {
  return inOwnTime(request, form, async () => {
    let count = 0;
    for await (const _ of received(request, form, sink)) count += 1;
    if (count === 0) throw missing(form);
  });
}

/** The body takes as long as it takes, at its minimum rate; what is left of it in the end has a deadline. */
async function inOwnTime<T>(request: FastifyRequest, form: FilesForm, work: () => Promise<T>): Promise<T> {
  if (!request.isMultipart()) throw new AppError('unsupported_type', 'the body must be multipart/form-data');
  if ((announcedBytes(request) ?? 0) > form.maxFiles * form.maxBytes + PART_OVERHEAD) throw tooLarge(form);
  takeTime(request);
  try {
    return await work();
  } finally {
    // Whoever is still sending gets to read the answer.
    request.raw.resume();
    endInTime(request);
  }
}

/** What the sink makes of each file. */
async function* received<T>(request: FastifyRequest, form: FilesForm, sink: Sink<T>): AsyncGenerator<T> {
  // One more than is allowed, so that it is refused in our words.
  const limits = { fileSize: form.maxBytes, files: form.maxFiles + 1 };
  const parts = request.files({ limits, throwFileSizeLimit: false });
  const files = patient(parts, request, form.minBytesPerSecond);
  const assertLast = async (): Promise<void> => {
    const next = await files.next();
    if (next.done === true) return;
    next.value.file.resume();
    throw problemOf(form, form.maxFiles === 1 ? 'may hold one file' : `may hold up to ${form.maxFiles} files`);
  };
  try {
    let count = 0;
    for await (const part of files) {
      count += 1;
      const isLast = count === form.maxFiles;
      yield await receivePart(part, request, { ...form, assertLast: isLast ? assertLast : null }, sink);
    }
  } finally {
    // The answer must not wait for the rest, and the rest must not stand in its way.
    void drained(parts);
  }
}

interface PartForm extends FilesForm {
  /** Of the last file that may come: it counts as whole when nothing follows. */
  readonly assertLast: (() => Promise<void>) | null;
}

/** What the sink does not want must not hold the connection, nor fail later with nobody listening. */
async function receivePart<T>(part: Part, request: FastifyRequest, form: PartForm, sink: Sink<T>): Promise<T> {
  const { filename: name = '' } = part;
  if (!form.fields.includes(part.fieldname) || name === '') {
    part.file.resume();
    throw missing(form);
  }
  // A body that was there at once, and without its end, has failed before anybody could listen.
  if (part.file.destroyed) throw brokenOff();
  const source = watched(part, request, form);
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

function missing(form: FilesForm): AppError {
  return problemOf(form, 'must hold a file');
}

function problemOf({ fields: [field] }: FilesForm, problem: string): AppError {
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

function announcedBytes({ headers }: FastifyRequest): number | null {
  const length = headers['content-length'];
  return length === undefined ? null : Number(length);
}

function tooLarge({ maxBytes, fields: [field] }: FilesForm, name?: string): AppError {
  const problem = `is larger than ${maxBytes} bytes`;
  const details = name === undefined ? [] : [{ field, problem: `${name.slice(-255)} ${problem}` }];
  return new AppError('too_large', `the file ${problem}`, { details });
}

/** The part's bytes, ended with an error when it was cut at the limit, arrives too slowly, or its sender went away. */
function watched(part: Part, request: FastifyRequest, form: PartForm): Readable {
  let received = 0;
  const isTooSlow = slownessOf(() => received, form.minBytesPerSecond);
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done): void {
      received += chunk.length;
      done(null, chunk);
    },
    flush(done): void {
      // The parser ends a file at its limit as if that were all of it.
      if (part.file.truncated) done(tooLarge(form, part.filename));
      else if (form.assertLast === null) done();
      else
        void form.assertLast().then(() => {
          done();
        }, done);
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
