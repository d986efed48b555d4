import { Transform, type Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { LimitsConfig } from '../config/app-config.js';
import { AppError } from '../shared/app-error.js';

const PART_OVERHEAD = 64 * 1024;
const GRACE_MS = 30_000;

type UploadLimits = Pick<LimitsConfig, 'uploadMaxBytes' | 'uploadMinBytesPerSecond'>;

/**
 * Streams the one file of a multipart body into `sink`, never held in memory.
 *
 * @throws AppError `too_large` (before reading when Content-Length says so), `unsupported_type` when the body is no multipart form,
 *   `invalid_input` when the field is missing, the client sends too slowly, or goes away.
 */
export async function receiveFile<T>(
  request: FastifyRequest,
  field: string,
  limits: UploadLimits,
  sink: (source: Readable, originalName: string) => Promise<T>,
): Promise<T> {
  assertMultipart(request);
  assertFits(request, limits.uploadMaxBytes);
  const part = await fileOf(request);
  if (part?.fieldname !== field || part.filename === '') {
    part?.file.resume();
    throw new AppError('invalid_input', `the form field ${field} must hold a file`, {
      details: [{ field, problem: 'is required' }],
    });
  }
  try {
    return await sink(watched(part, request, limits), part.filename);
  } finally {
    // What the sink did not want must not hold the connection.
    part.file.resume();
  }
}

async function fileOf(request: FastifyRequest): Promise<MultipartFile | undefined> {
  try {
    return await request.file();
  } catch (cause) {
    throw new AppError('invalid_input', 'the multipart body is malformed', { cause });
  }
}

function assertMultipart(request: FastifyRequest): void {
  if (request.isMultipart()) return;
  throw new AppError('unsupported_type', 'the body must be multipart/form-data');
}

function assertFits(request: FastifyRequest, maxBytes: number): void {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced <= maxBytes + PART_OVERHEAD) return;
  throw tooLarge(maxBytes);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('too_large', `the file is larger than ${maxBytes} bytes`);
}

/** The part's bytes, ended with an error when it was cut at the limit, arrives too slowly, or its sender went away. */
function watched(part: MultipartFile, request: FastifyRequest, limits: UploadLimits): Readable {
  const began = Date.now();
  let received = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done): void {
      received += chunk.length;
      done(null, chunk);
    },
    flush(done): void {
      // The parser ends a file at its limit as if that were all of it.
      done(part.file.truncated ? tooLarge(limits.uploadMaxBytes) : null);
    },
  });
  const fail = (problem: string): void => {
    meter.destroy(new AppError('invalid_input', problem));
  };
  const pace = setInterval(() => {
    const elapsed = Date.now() - began;
    if (elapsed < GRACE_MS) return;
    if ((received * 1000) / elapsed < limits.uploadMinBytesPerSecond) fail('the upload is too slow');
  }, 5_000);
  const gone = (): void => {
    if (!request.raw.complete) fail('the upload was broken off');
  };
  request.raw.once('close', gone);
  meter.once('close', () => {
    clearInterval(pace);
    request.raw.off('close', gone);
  });
  part.file.once('error', () => {
    fail('the upload was broken off');
  });
  return part.file.pipe(meter);
}
