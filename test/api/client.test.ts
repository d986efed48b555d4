import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ApiError,
  createClient,
  memoryStore,
  SignedOutError,
  type Client,
  type ClientOptions,
  type SessionStore,
  type StreamFrame,
} from '../../client/src/index.js';
import { eventually } from '../support/eventually.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

const WEATHER = 'samples/weather.csv';

/** A socket that can be cut as a broken line would. */
class CuttableSocket extends WebSocket {
  static readonly open: CuttableSocket[] = [];
  static readonly addresses: string[] = [];
  static readonly births = new EventEmitter();
  constructor(url: string) {
    super(url);
    CuttableSocket.open.push(this);
    CuttableSocket.addresses.push(url);
    CuttableSocket.births.emit('birth', this);
  }

  /** What the service had sent meanwhile is lost with the line. */
  cut(): void {
    this.onmessage = null;
    this.terminate();
  }
}

describe('the typed client', () => {
  let api: TestApi;
  let users = 0;
  beforeAll(async () => {
    api = await startTestApi({ environment: { LOGIN_RATE_LIMIT: '0', RATE_LIMIT: '0' } });
  });
  afterAll(() => api[Symbol.asyncDispose]());

  /** The clients of one user, as tabs that share a store; and how often each address was asked for. */
  async function tabs(options: Partial<ClientOptions> = {}): Promise<Tabs> {
    users += 1;
    const email = `client-${users}@example.com`;
    const { password } = await registered(email);
    const store = sharedStore();
    const asked: string[] = [];
    const open = (): Client =>
      createClient({
        baseUrl: api.url,
        store: store(),
        webSocket: CuttableSocket,
        fetch: (input, init) => {
          asked.push(new URL(input instanceof Request ? input.url : input).pathname);
          return fetch(input, init);
        },
        ...options,
      });
    return { open, asked, email, password };
  }

  async function registered(email: string): Promise<{ readonly password: string }> {
    await api.signIn('clients', { email, role: 'manager' });
    return { password: `secret-${users}-clients` };
  }

  it('turns refusals into errors with status, message and fields', async () => {
    const { open, email, password } = await tabs();
    const client = open();
    const wrong = await client.signIn(email, 'not it').catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(ApiError);
    expect(wrong).toMatchObject({ status: 401, message: 'invalid email or password' });
    await client.signIn(email, password);
    const body = { name: '', type: 'csv', filename: 'x', config: { metafield: 'a' } } as const;
    const refused = await client.call(client.api.PUT('/api/v1/secure/datasource', { body })).catch((e: unknown) => e);
    expect(refused).toMatchObject({ status: 400, details: [{ field: 'name' }] });
    const away = createClient({ baseUrl: 'http://127.0.0.1:9' });
    await expect(away.signIn(email, password)).rejects.toMatchObject({ status: 0, isOffline: true });
  });

  it('renews the token once for all calls, in all tabs, when it has run out', async () => {
    const { open, asked, email, password } = await tabs();
    const [one, two] = [open(), open()];
    await one.signIn(email, password);
    api.clock.advance(16 * 60_000);
    const who = (client: Client): Promise<unknown> => client.call(client.api.GET('/api/v1/secure/currentuser'));
    await Promise.all([who(one), who(one), who(one)]);
    await Promise.all([who(two), who(two)]);
    expect(asked.filter((path) => path === '/api/v1/refresh-token')).toHaveLength(1);
    expect(two.sessionState).toBe('signed-in');
  });

  it('tells that the session has ended, and ends it in other tabs when somebody signs out', async () => {
    const { open, email, password } = await tabs();
    const [one, two] = [open(), open()];
    const states: string[] = [];
    one.onSession((state) => states.push(state));
    await one.signIn(email, password);
    api.clock.advance(8 * 24 * 3_600_000);
    await expect(one.call(one.api.GET('/api/v1/secure/currentuser'))).rejects.toBeInstanceOf(SignedOutError);
    expect(states).toEqual(['signed-in', 'ended']);
    expect(one.user).toMatchObject({ email });
    await one.signIn(email, password);
    expect(two.sessionState).toBe('signed-in');
    await one.signOut();
    expect(two.sessionState).toBe('signed-out');
    expect(two.user).toBeNull();
  });

  it('holds calls of an ended session until its user is back, and drops them for anybody else', async () => {
    const { open, email, password } = await tabs({ waitsForSignIn: true });
    const client = open();
    await client.signIn(email, password);
    api.clock.advance(8 * 24 * 3_600_000);
    const held = client.call(client.api.GET('/api/v1/secure/currentuser'));
    await reaches(() => client.sessionState, 'ended');
    await client.signIn(email, password);
    expect(await held).toMatchObject({ user: { email } });

    api.clock.advance(8 * 24 * 3_600_000);
    const dropped = client.call(client.api.GET('/api/v1/secure/currentuser')).catch((error: unknown) => error);
    await reaches(() => client.sessionState, 'ended');
    const other = await tabs();
    await client.signIn(other.email, other.password);
    expect(await dropped).toBeInstanceOf(SignedOutError);
  });

  it('uploads with progress, and nothing stays of an upload that is aborted', async () => {
    const { open, email, password } = await tabs();
    const client = open();
    await client.signIn(email, password);
    const bytes = await readFile(WEATHER);
    const sent: number[] = [];
    const file = new File([bytes], 'wea"ther.csv');
    const upload = await client.uploadDatasourceFile(file, { onProgress: (progress) => sent.push(progress.sent) });
    expect(upload).toMatchObject({ size: bytes.length });
    expect(upload.columns[0]).toContain('temp_max');
    expect(sent.at(-1)).toBe(bytes.length);

    const controller = new AbortController();
    const endless = {
      name: 'endless.csv',
      bytes: (async function* () {
        yield Buffer.from('a,b\n');
        for (;;) {
          yield Buffer.from('1,2\n');
          await setTimeout(1);
          if (!controller.signal.aborted) controller.abort();
        }
      })(),
    };
    const aborted = client.uploadDatasourceFile(endless, { signal: controller.signal });
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('tells what happens over the stream, and goes on behind the last frame after a broken line', async () => {
    const { open, email, password } = await tabs();
    const client = open();
    await client.signIn(email, password);
    const everything = client.stream('everything');
    const told: StreamFrame[] = [];
    everything.onFrame((frame) => told.push(frame));
    await reaches(() => everything.state, 'open');

    const id = await importWeather(client);
    await eventually(
      () => told.some(({ event, data }) => event === 'datasource-updated' && data.action === 'updated'),
      Boolean,
    );

    const { id: conversation } = await client.call(
      client.api.POST('/api/v1/secure/assistant/conversation', { body: { title: 'Weather', datasource_id: id } }),
    );
    const body = { conversation_id: conversation, message: 'Average temp_max by location' };
    const { message_id: message } = await client.call(client.api.POST('/api/v1/secure/assistant/chatstream', { body }));
    const answer = client.stream(message, { until: message });
    const frames: StreamFrame[] = [];
    answer.onFrame((frame) => {
      frames.push(frame);
      if (frames.length === 2) CuttableSocket.open.at(-1)?.cut();
    });
    await reaches(() => answer.state, 'closed');
    const places = frames.map(({ data }) => ('seq' in data ? data.seq : 0));
    expect(places).toEqual(places.map((_, index) => index + 1));
    expect(frames.at(-1)?.event).toBe('chat-complete');
    expect(CuttableSocket.addresses.at(-1)).toMatch(/after=2$/);
    const chunks = frames.flatMap(({ event, data }) => (event === 'chat-chunk' ? [data.chunk] : []));
    const whole = frames.flatMap(({ event, data }) => (event === 'chat-complete' ? [data.response.response] : []));
    expect(chunks.join('')).toBe(whole[0]);

    await client.signOut();
    expect(everything.state).toBe('closed');
  });

  it('lets go of a socket that is still opening without an error', async () => {
    const { open, email, password } = await tabs();
    const client = open();
    await client.signIn(email, password);
    const born = once(CuttableSocket.births, 'birth') as Promise<[CuttableSocket]>;
    const stream = client.stream('brief');
    const [socket] = await born;
    const ends: string[] = [];
    socket.on('error', (error) => ends.push(error.message));
    socket.on('close', () => ends.push('closed'));
    expect(socket.readyState).toBe(WebSocket.CONNECTING);
    stream.close();
    await eventually(
      () => ends.length,
      (count) => count > 0,
    );
    expect(ends).toEqual(['closed']);
  });
});

/** Waits until it says that. */
function reaches<T>(state: () => T, wanted: T): Promise<T> {
  return eventually(state, (now) => now === wanted);
}

interface Tabs {
  readonly open: () => Client;
  /** Paths, in order. */
  readonly asked: readonly string[];
  readonly email: string;
  readonly password: string;
}

/** A store as the tabs of a browser share it: each hears of what the others write, and not of its own. */
function sharedStore(): () => SessionStore {
  const kept = memoryStore();
  const listeners = new Map<object, () => void>();
  return () => {
    const tab = {};
    return {
      read: () => kept.read(),
      write: (session) => {
        kept.write(session);
        for (const [other, changed] of listeners) if (other !== tab) changed();
      },
      subscribe: (changed) => {
        listeners.set(tab, changed);
        return () => listeners.delete(tab);
      },
    };
  };
}

async function importWeather(client: Client): Promise<string> {
  const upload = await client.uploadDatasourceFile(new File([await readFile(WEATHER)], 'weather.csv'));
  const body = {
    name: 'Wetter für alle',
    type: 'csv',
    filename: upload.filename,
    config: { metafield: 'location', timefield: 'date' },
  } as const;
  return (await client.call(client.api.PUT('/api/v1/secure/datasource', { body }))).datasource_id;
}
