import { anInstanceOf } from './way.js';

export interface TestResponse {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

const PREFIX = '/api/v1';

/** A caller of the API, with a token or without. Paths begin after `/api/v1`, unless they name the health or docs pages. */
export class TestClient {
  constructor(
    readonly url: string,
    readonly token: string | null,
    /** The full user of the login. */
    readonly user: Readonly<Record<string, unknown>> | null,
  ) {}

  static async signIn(url: string, email: string, password: string): Promise<TestClient> {
    const { status, body } = await new TestClient(url, null, null).post('/login', { email, password });
    if (status !== 200) throw new Error(`sign-in failed: ${JSON.stringify(body)}`);
    return new TestClient(url, String(body['token']), body['user'] as Record<string, unknown>);
  }

  get id(): string {
    return String(this.user?.['id']);
  }

  get companyId(): string {
    return String(this.user?.['company_id']);
  }

  get(path: string, headers: Record<string, string> = {}): Promise<TestResponse> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<TestResponse> {
    return this.send('POST', path, body, headers);
  }

  put(path: string, body?: unknown): Promise<TestResponse> {
    return this.send('PUT', path, body);
  }

  patch(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<TestResponse> {
    return this.send('PATCH', path, body, headers);
  }

  delete(path: string, body?: unknown): Promise<TestResponse> {
    return this.send('DELETE', path, body);
  }

  /** Sends one file as a form and returns the answer. */
  async upload(content: string | Uint8Array | Blob, name = 'rows.csv', field = 'file'): Promise<TestResponse> {
    const form = new FormData();
    form.append(field, new Blob([content]), name);
    return this.fetch('POST', '/secure/datasource/upload', { body: form });
  }

  /** An answer that is no JSON. */
  async bytes(path: string): Promise<{ status: number; type: string; bytes: Buffer }> {
    const response = await fetch(`${anInstanceOf(this.url)}${PREFIX}${path}`, { headers: this.authorization() });
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  }

  send(method: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<TestResponse> {
    if (body === undefined) return this.fetch(method, path, { headers });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.fetch(method, path, { body: text, headers: { 'content-type': 'application/json', ...headers } });
  }

  private async fetch(method: string, path: string, init: RequestInit): Promise<TestResponse> {
    const prefix = /^\/(health|docs|mcp)/.test(path) ? '' : PREFIX;
    const headers = { ...this.authorization(), ...(init.headers as Record<string, string> | undefined) };
    const response = await fetch(`${anInstanceOf(this.url)}${prefix}${path}`, { ...init, method, headers });
    const text = await response.text();
    const isFile = response.headers.get('content-type')?.startsWith('text/csv') === true;
    return {
      status: response.status,
      body: text === '' || isFile ? {} : (JSON.parse(text) as Record<string, unknown>),
      headers: response.headers,
    };
  }

  private authorization(): Record<string, string> {
    return this.token === null ? {} : { authorization: `Bearer ${this.token}` };
  }
}
