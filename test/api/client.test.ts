import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { expect, it } from 'vitest';
import {
  ApiError,
  createClient,
  memoryStore,
  SignedOutError,
  type Client,
  type SessionStore,
  type StreamFrame,
} from '../../client/src/index.js';
import { eventually } from '../support/eventually.js';
import { theService } from './a-service.js';

const WEATHER = 'samples/weather.csv';
const DAY = 24 * 3_600_000;

/** A socket that can be cut as a broken line would. */
class CuttableSocket extends WebSocket {
  static readonly open: CuttableSocket[] = [];
  static readonly births = new EventEmitter();
  constructor(url: string) {
    super(url);
    CuttableSocket.open.push(this);
    CuttableSocket.births.emit('birth', this);
  }

  /** What the service had sent meanwhile is lost with the line. */
  cut(): void {
    this.onmessage = null;
    this.terminate();
  }
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

let users = 0;

const api = await theService();

interface Tabs {
  readonly open: () => Client;
  readonly signedIn: () => Promise<Client>;
  readonly credentials: readonly [email: string, password: string];
  /** Paths, in order. */
  readonly asked: readonly string[];
}

/** The clients of one new user, as tabs that share a store. */
async function tabs(options: { readonly waitsForSignIn?: boolean } = {}): Promise<Tabs> {
  users += 1;
  const credentials = [`client-${users}@example.com`, `secret-${users}-clients`] as const;
  await api.signIn('clients', { email: credentials[0], password: credentials[1], role: 'manager' });
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
  const signedIn = async (): Promise<Client> => {
    const client = open();
    await client.signIn(...credentials);
    return client;
  };
  return { open, signedIn, credentials, asked };
}

const who = (client: Client): Promise<unknown> => client.call(client.api.GET('/api/v1/secure/currentuser'));
const failureOf = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);
const reaches = <T>(state: () => T, wanted: T): Promise<T> => eventually(state, (now) => now === wanted);

it('the client turns refusals into errors with status, message and fields', async () => {
  const { open, credentials } = await tabs();
  const client = open();
  const wrong = await failureOf(client.signIn(credentials[0], 'not it'));
  expect(wrong).toBeInstanceOf(ApiError);
  expect(wrong).toMatchObject({ status: 401, message: 'invalid email or password' });
  await client.signIn(...credentials);
  const body = { name: '', type: 'csv', filename: 'x', config: { metafield: 'a' } } as const;
  const refused = await failureOf(client.call(client.api.PUT('/api/v1/secure/datasource', { body })));
  expect(refused).toMatchObject({ status: 400, details: [{ field: 'name' }] });
  const away = createClient({ baseUrl: 'http://127.0.0.1:9' });
  expect(await failureOf(away.signIn(...credentials))).toMatchObject({ status: 0, isOffline: true });
});

it('the client renews the token once for all calls, in all tabs, when it has run out', async () => {
  const { open, signedIn, asked } = await tabs();
  const [one, two] = [await signedIn(), open()];
  api.clock.advance(16 * 60_000);
  await Promise.all([who(one), who(one), who(one)]);
  await Promise.all([who(two), who(two)]);
  expect(asked.filter((path) => path === '/api/v1/refresh-token')).toHaveLength(1);
  expect(two.sessionState).toBe('signed-in');
});

it('the client tells that the session has ended, and ends it in other tabs when somebody signs out', async () => {
  const { open, credentials } = await tabs();
  const [one, two] = [open(), open()];
  const states: string[] = [];
  one.onSession((state) => states.push(state));
  await one.signIn(...credentials);
  api.clock.advance(8 * DAY);
  await expect(who(one)).rejects.toBeInstanceOf(SignedOutError);
  expect(states).toEqual(['signed-in', 'ended']);
  expect(one.user).toMatchObject({ email: credentials[0] });
  await one.signIn(...credentials);
  expect(two.sessionState).toBe('signed-in');
  await one.signOut();
  expect(two).toMatchObject({ sessionState: 'signed-out', user: null });
});

it('the client holds calls of an ended session until its user is back, and drops them for anybody else', async () => {
  const { signedIn, credentials } = await tabs({ waitsForSignIn: true });
  const client = await signedIn();
  const held = async (): Promise<{ answer: Promise<unknown> }> => {
    api.clock.advance(8 * DAY);
    const answer = failureOf(who(client));
    await reaches(() => client.sessionState, 'ended');
    return { answer };
  };
  const { answer } = await held();
  await client.signIn(...credentials);
  expect(await answer).toMatchObject({ user: { email: credentials[0] } });

  const { answer: dropped } = await held();
  await client.signIn(...(await tabs()).credentials);
  expect(await dropped).toBeInstanceOf(SignedOutError);
});

it('the client uploads with progress, and stops when it is aborted', async () => {
  const client = await (await tabs()).signedIn();
  const bytes = await readFile(WEATHER);
  const sent: number[] = [];
  const file = new File([bytes], 'wea"ther.csv');
  const upload = await client.uploadDatasourceFile(file, { onProgress: (progress) => sent.push(progress.sent) });
  expect(upload).toMatchObject({ size: bytes.length });
  expect(upload.columns[0]).toContain('temp_max');
  expect(sent.at(-1)).toBe(bytes.length);

  const controller = new AbortController();
  const endless = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from('a,b\n');
    for (;;) {
      yield Buffer.from('1,2\n');
      await setTimeout(1);
      controller.abort();
    }
  };
  const { signal } = controller;
  const aborted = client.uploadDatasourceFile({ name: 'endless.csv', bytes: endless() }, { signal });
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
});

it('the client tells what happens over the stream, and goes on behind the last frame after a broken line', async () => {
  const client = await (await tabs()).signedIn();
  const everything = client.stream('everything');
  const told: StreamFrame[] = [];
  everything.onFrame((frame) => told.push(frame));
  await reaches(() => everything.state, 'open');

  const { filename } = await client.uploadDatasourceFile(new File([await readFile(WEATHER)], 'weather.csv'));
  const config = { metafield: 'location', timefield: 'date' };
  const datasource = { name: 'Wetter für alle', type: 'csv', filename, config } as const;
  const { datasource_id } = await client.call(client.api.PUT('/api/v1/secure/datasource', { body: datasource }));
  await eventually(
    () => told.some(({ event, data }) => event === 'datasource-updated' && data.action === 'updated'),
    Boolean,
  );

  const { id: conversation_id } = await client.call(
    client.api.POST('/api/v1/secure/assistant/conversation', { body: { title: 'Weather', datasource_id } }),
  );
  const body = { conversation_id, message: 'Average temp_max by location' };
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
  expect(CuttableSocket.open.at(-1)?.url).toMatch(/after=2$/);
  const chunks = frames.flatMap(({ event, data }) => (event === 'chat-chunk' ? [data.chunk] : []));
  const whole = frames.flatMap(({ event, data }) => (event === 'chat-complete' ? [data.response.response] : []));
  expect([chunks.join('')]).toEqual(whole);

  await client.signOut();
  expect(everything.state).toBe('closed');
});

it('the client lets go of a socket that is still opening without an error', async () => {
  const client = await (await tabs()).signedIn();
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
