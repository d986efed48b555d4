import createFetchClient, { type Client as FetchClient } from 'openapi-fetch';
import { ApiError, errorFrom, unreachable } from './api-error.js';
import { Authority, type Lock, type SessionState, type SignedIn } from './authority.js';
import type { components, paths } from './schema.js';
import { memoryStore, type SessionStore, type User } from './session.js';
import { Stream, type SocketClass, type StreamOptions } from './stream.js';
import { sendFiles, type UploadFile, type UploadOptions, type UploadRequest } from './upload.js';

type Schemas = components['schemas'];

export interface ClientOptions {
  /** Where the service is, such as `https://data.example`; without a slash at its end. */
  readonly baseUrl: string;
  /** Where the session is kept; in memory without it. */
  readonly store?: SessionStore;
  readonly fetch?: typeof globalThis.fetch;
  /** Needed for `stream` where there is no global one: Node before 22. The class of the package `ws` fits. */
  readonly webSocket?: SocketClass;
  /** Requests of a session that has ended wait until the same user has signed in again; without it they fail. */
  readonly waitsForSignIn?: boolean;
}

/** What `openapi-fetch` gives back. */
interface Answered<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** A file that the service sends, still on its way. */
export interface Download {
  readonly filename: string;
  readonly response: Response;
}

/**
 * The service, typed. `api` has every route of the API document; its calls carry the token, which is renewed on the way, and `call` turns
 * their failures into `ApiError`.
 */
export class Client {
  readonly api: FetchClient<paths>;
  private readonly authority: Authority;
  private readonly plainFetch: typeof globalThis.fetch;

  constructor(private readonly options: ClientOptions) {
    this.plainFetch = options.fetch ?? ((input, init): Promise<Response> => globalThis.fetch(input, init));
    this.authority = new Authority({
      baseUrl: options.baseUrl,
      store: options.store ?? memoryStore(),
      fetch: this.plainFetch,
      lock: browserLock(),
      waitsForSignIn: options.waitsForSignIn ?? false,
    });
    this.api = createFetchClient<paths>({ baseUrl: options.baseUrl, fetch: (request) => this.send(request) });
  }

  get user(): User | null {
    return this.authority.user;
  }

  get sessionState(): SessionState {
    return this.authority.current;
  }

  /** `signed-in`, `ended` (by the service or by time; the user is still known) or `signed-out`. Returns how to stop. */
  onSession(listener: (state: SessionState) => void): () => void {
    return this.authority.onChange(listener);
  }

  signIn(email: string, password: string): Promise<User> {
    return this.authority.signIn(email, password);
  }

  /** With the answer of `POST sign-in/finish`. */
  signInWith(answer: SignedIn): User {
    return this.authority.signInWith(answer);
  }

  signOut(): Promise<void> {
    return this.authority.signOut();
  }

  /**
   * The body of a success: `await client.call(client.api.GET('/api/v1/secure/datasources'))`. An insertion that was stored in part is one.
   *
   * @throws ApiError
   */
  async call<T>(answered: Promise<Answered<T>>): Promise<T> {
    const { data, error, response } = await answered;
    if (data === undefined) throw errorFrom(response.status, response.headers, error);
    return data;
  }

  /** @throws ApiError; DOMException `AbortError` after `signal`. */
  uploadDatasourceFile(file: UploadFile, options: UploadOptions = {}): Promise<Schemas['UploadResponse']> {
    const to = { method: 'POST', url: this.urlOf('/api/v1/secure/datasource/upload'), field: 'file' } as const;
    return this.upload({ ...options, ...to, files: [file] });
  }

  uploadContextFiles(
    files: readonly UploadFile[],
    options: UploadOptions = {},
  ): Promise<Schemas['ContextFilesResponse']> {
    const to = { method: 'PUT', url: this.urlOf('/api/v1/secure/contextfiles'), field: 'files' } as const;
    return this.upload({ ...options, ...to, files });
  }

  /** Rows or rejected lines as CSV, an image: whatever is no JSON. Its body is not read yet. */
  async download(path: string, query: Readonly<Record<string, string>> = {}, signal?: AbortSignal): Promise<Download> {
    const url = new URL(this.urlOf(path));
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const response = await this.send(new Request(url, signal === undefined ? {} : { signal }));
    if (!response.ok) throw errorFrom(response.status, response.headers, await response.json().catch(() => null));
    return { filename: filenameOf(response.headers.get('content-disposition')) ?? 'download', response };
  }

  /**
   * The frames of a room: the id of a conversation, a message, a datasource or a task, or any other word for everything that concerns the
   * user. Opens at once, and stays until it is closed or the user signs out.
   */
  stream(room: string, options: StreamOptions = {}): Stream {
    const socket = this.options.webSocket ?? (globalThis as { readonly WebSocket?: SocketClass }).WebSocket;
    if (socket === undefined) throw new TypeError('there is no global WebSocket: give createClient one as webSocket');
    return new Stream(room, { baseUrl: this.options.baseUrl, authority: this.authority, socket, whenOnline }, options);
  }

  /** Stops listening to other tabs. */
  dispose(): void {
    this.authority.dispose();
  }

  /** With a token, and once more with a new one when it was refused. */
  private async send(request: Request): Promise<Response> {
    const again = request.clone();
    // The rest is open to everybody: signing in, and the links of invitations.
    if (!new URL(request.url).pathname.includes('/secure/')) return this.answerTo(request);
    const token = await this.authority.token();
    const response = await this.answerTo(withToken(request, token));
    if (response.status !== 401) return response;
    return this.answerTo(withToken(again, await this.authority.replace(token)));
  }

  private async answerTo(request: Request): Promise<Response> {
    try {
      return await this.plainFetch(request);
    } catch (error) {
      throw unreachable(error);
    }
  }

  private async upload<T>(request: Omit<UploadRequest, 'token'>): Promise<T> {
    const token = await this.authority.token();
    try {
      return (await sendFiles({ ...request, token }, this.plainFetch)) as T;
    } catch (error) {
      // What was a stream is spent; files can be read again.
      const canRepeat = request.files.every((file) => file instanceof Blob);
      if (!(error instanceof ApiError && error.status === 401 && canRepeat)) throw error;
      return (await sendFiles({ ...request, token: await this.authority.replace(token) }, this.plainFetch)) as T;
    }
  }

  private urlOf(path: string): string {
    return `${this.options.baseUrl}${path}`;
  }
}

/** A client of the service at `baseUrl`. */
export function createClient(options: ClientOptions): Client {
  return new Client(options);
}

function withToken(request: Request, token: string): Request {
  request.headers.set('authorization', `Bearer ${token}`);
  return request;
}

/** All tabs wait for each other where the browser has locks; else each for itself. */
function browserLock(): Lock {
  const { navigator } = globalThis as { readonly navigator?: { readonly locks?: Locks } };
  const locks = navigator?.locks;
  return locks === undefined ? (work) => work() : (work) => locks.request('data-analytics.refresh', work);
}
interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

function whenOnline(callback: () => void): () => void {
  const target = globalThis as Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>>;
  target.addEventListener?.('online', callback);
  return () => target.removeEventListener?.('online', callback);
}

/** RFC 6266: the encoded name first, since only it can hold every character. */
function filenameOf(disposition: string | null): string | null {
  if (disposition === null) return null;
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? null;
}
