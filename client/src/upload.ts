import { ApiError, errorFrom, unreachable } from './api-error.js';

/** Bytes that need not be in memory: what Node reads from a disk, for instance. */
export interface NamedBytes {
  readonly name: string;
  readonly type?: string;
  /** Bytes, if known: progress has no share without it. */
  readonly size?: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** A browser's `File`, or bytes with a name. */
export type UploadFile = (Blob & { readonly name: string }) | NamedBytes;

export interface UploadProgress {
  readonly sent: number;
  /** null: not known. */
  readonly total: number | null;
}

export interface UploadOptions {
  readonly onProgress?: (progress: UploadProgress) => void;
  /** Ends the upload at once; the service keeps nothing of it. */
  readonly signal?: AbortSignal;
}

export interface UploadRequest extends UploadOptions {
  readonly method: 'POST' | 'PUT';
  readonly url: string;
  readonly token: string;
  readonly field: string;
  readonly files: readonly UploadFile[];
}

/** Sends a form with files and gives the answer. @throws ApiError; DOMException `AbortError` when the signal says so. */
export function sendFiles(request: UploadRequest, fetch: typeof globalThis.fetch): Promise<unknown> {
  request.signal?.throwIfAborted();
  const { XMLHttpRequest: Xhr } = globalThis as unknown as { readonly XMLHttpRequest?: XhrClass };
  // Browsers tell how far an upload is to an XMLHttpRequest alone.
  return Xhr === undefined ? sendByFetch(request, fetch) : sendByXhr(request, new Xhr());
}

/** What is used of the browser's XMLHttpRequest; Node has no such type. */
interface Xhr {
  readonly status: number;
  readonly responseText: string;
  readonly upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getResponseHeader(name: string): string | null;
  send(body: FormData): void;
  abort(): void;
}
type XhrClass = new () => Xhr;

function sendByXhr(request: UploadRequest, xhr: Xhr): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      xhr.abort();
    };
    const end = (settle: () => void): void => {
      request.signal?.removeEventListener('abort', abort);
      settle();
    };
    xhr.upload.onprogress = ({ loaded, total }): void => request.onProgress?.({ sent: loaded, total });
    xhr.onload = (): void => {
      end(() => {
        const answer = parsed(xhr.responseText);
        if (xhr.status >= 200 && xhr.status < 300) resolve(answer);
        else reject(errorFrom(xhr.status, { get: (name) => xhr.getResponseHeader(name) }, answer));
      });
    };
    xhr.onerror = (): void => {
      end(() => {
        reject(new ApiError(0, 'the connection was lost'));
      });
    };
    xhr.onabort = (): void => {
      end(() => {
        reject(new DOMException('the upload was cancelled', 'AbortError'));
      });
    };
    xhr.open(request.method, request.url);
    xhr.setRequestHeader('authorization', `Bearer ${request.token}`);
    request.signal?.addEventListener('abort', abort);
    xhr.send(formOf(request));
  });
}

function formOf({ field, files }: UploadRequest): FormData {
  const form = new FormData();
  for (const file of files) {
    if (!(file instanceof Blob)) throw new TypeError('a browser uploads files and blobs only');
    form.append(field, file, file.name);
  }
  return form;
}

async function sendByFetch(request: UploadRequest, fetch: typeof globalThis.fetch): Promise<unknown> {
  const boundary = `----${crypto.randomUUID()}`;
  const init = {
    method: request.method,
    headers: {
      authorization: `Bearer ${request.token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body: streamOf(parts(request, boundary)),
    // A stream is sent while it is read.
    duplex: 'half' as const,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  };
  const response = await fetch(request.url, init).catch((error: unknown) => {
    throw unreachable(error);
  });
  const answer = parsed(await response.text());
  if (!response.ok) throw errorFrom(response.status, response.headers, answer);
  return answer;
}

/** The form's bytes, as RFC 7578 has them. */
async function* parts({ field, files, onProgress }: UploadRequest, boundary: string): AsyncGenerator<Uint8Array> {
  const text = new TextEncoder();
  const total = totalOf(files);
  let sent = 0;
  for (const file of files) {
    const disposition = `form-data; name="${field}"; filename="${escaped(file.name)}"`;
    const type = file.type === undefined || file.type === '' ? 'application/octet-stream' : file.type;
    yield text.encode(`--${boundary}\r\ncontent-disposition: ${disposition}\r\ncontent-type: ${type}\r\n\r\n`);
    for await (const bytes of file instanceof Blob ? bytesOf(file) : file.bytes) {
      yield bytes;
      // Here the piece before is taken: the reader has asked for the next.
      sent += bytes.length;
      onProgress?.({ sent, total });
    }
    yield text.encode('\r\n');
  }
  yield text.encode(`--${boundary}--\r\n`);
}

/** Read as fast as it is sent, and closed when nobody wants it any more. */
function streamOf(source: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await source.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await source.return(undefined);
    },
  });
}

async function* bytesOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
}

function totalOf(files: readonly UploadFile[]): number | null {
  const sizes = files.map(({ size }) => size);
  return sizes.every((size) => size !== undefined) ? sizes.reduce((sum, size) => sum + size, 0) : null;
}

/** As browsers do it. */
function escaped(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No envelope: a proxy's page, or nothing.
    return null;
  }
}
