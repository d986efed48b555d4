import { afterAll, describe, expect, it } from 'vitest';
import { RouteTable } from '../../src/http/route-table.js';
import { startTestApi } from '../support/test-api.js';
import { TestClient, type TestResponse } from '../support/test-client.js';
import { MATRIX, type Call } from './matrix.rows.js';
import { CANARY, aWorld } from './world.builder.js';

const UNKNOWN = 'f'.repeat(24);
const MALFORMED = ['not-an-id', '%00', '..%2f..%2fetc', 'a'.repeat(23), 'g'.repeat(24)];

const WRONG_TYPES: readonly unknown[] = [
  { $ne: null },
  [],
  7,
  true,
  {},
  null,
  '',
  'x'.repeat(20_000),
  '\u0000',
  { $gt: '' },
];
// prettier-ignore
const RAW_BODIES = [
  '', '{', 'null', '[]', '"text"', '7', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":1}}', '[[[[[]]]]]',
];

const api = await startTestApi({ environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' } });
const world = await aWorld(api);
afterAll(() => api[Symbol.asyncDispose]());

function rows(reaches: readonly string[]): [string, string, (typeof MATRIX)[string]][] {
  return Object.entries(MATRIX)
    .filter(([, row]) => reaches.includes(row.reach))
    .map(([route, row]) => [route, route.split(' ')[0]!, row]);
}

function send(client: TestClient, method: string, { path, body }: Call): Promise<TestResponse> {
  if (method === 'GET') return client.get(path);
  if (method === 'POST') return client.post(path, body);
  if (method === 'PUT') return client.put(path, body);
  if (method === 'PATCH') return client.patch(path, body);
  return client.delete(path, body);
}

function expectRefusal(response: TestResponse, statuses: readonly number[]): void {
  expect(statuses).toContain(response.status);
  expect(response.body).toMatchObject({ error: true, message: expect.any(String) as string });
  expect(response.headers.get('x-request-id')).toMatch(/^[\w-]+$/);
  expect(JSON.stringify(response.body)).not.toContain(CANARY);
}

describe('the route table', () => {
  it('has a row in the matrix for every route, and the matrix no other', () => {
    const routes = api
      .get(RouteTable)
      .routes()
      .map(({ method, path }) => `${method} ${path}`);
    expect(routes.sort()).toEqual(Object.keys(MATRIX).sort());
  });
});

describe.each(rows(['company', 'owner', 'manager', 'own']))('%s without a valid token', (_route, method, row) => {
  it.each([
    ['none', null],
    ['garbage', 'x.y.z'],
    ['empty', ''],
  ])('is refused: %s', async (_name, token) => {
    const client = new TestClient(api.url, token, null);
    const response = await send(client, method, row.call(row.id?.(world) ?? UNKNOWN));
    expectRefusal(response, [401]);
    expect(response.body['message']).toBe('unauthorized - invalid token');
  });
});

describe.each(rows(['company', 'owner', 'manager']).filter(([, , row]) => row.id !== undefined))(
  '%s',
  (_route, method, row) => {
    it('does not exist for another company, which is told what it is told of an unknown id', async () => {
      const outsider = row.reach === 'manager' ? world.eveManager : world.eve;
      const foreign = await send(outsider, method, row.call(row.id!(world)));
      expectRefusal(foreign, [404]);
      const unknown = await send(outsider, method, row.call(row.named === true ? `${UNKNOWN}.png` : UNKNOWN));
      expect(unknown).toMatchObject({ status: foreign.status, body: foreign.body });
    });

    it('refuses malformed ids', async () => {
      const insider = row.reach === 'manager' ? world.manager : world.owner;
      const answers = await Promise.all(MALFORMED.map((id) => send(insider, method, row.call(id))));
      for (const answer of answers) expectRefusal(answer, [400, 404]);
    });
  },
);

describe.each(rows(['owner']))('%s is private to its user', (_route, method, row) => {
  it.each(['colleague', 'manager'] as const)('and hidden from a %s', async (who) => {
    expectRefusal(await send(world[who], method, row.call(row.id!(world))), [404]);
  });
});

describe.each(rows(['company']).filter(([, , row]) => row.makers === true))('%s', (_route, method, row) => {
  it('is forbidden to a colleague of whoever made it', async () => {
    const response = await send(world.colleague, method, row.call(row.id!(world)));
    expectRefusal(response, [403]);
  });
});

describe.each(rows(['manager']))('%s', (_route, method, row) => {
  it('is forbidden to a user', async () => {
    const response = await send(world.owner, method, row.call(row.id?.(world) ?? UNKNOWN));
    expectRefusal(response, [403]);
    expect(response.body['message']).toBe('forbidden');
  });
});

describe.each(
  rows(['company', 'owner', 'own', 'manager']).filter(
    ([, , row]) => row.changes !== true && row.named !== true && row.file !== true,
  ),
)('%s', (_route, method, row) => {
  it('answers its own company with the envelope', async () => {
    const insider = row.reach === 'manager' ? world.manager : world.owner;
    const response = await send(insider, method, row.call(row.id?.(world) ?? UNKNOWN));
    expect(response).toMatchObject({ status: 200, body: { error: false, message: expect.any(String) as string } });
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    if (row.reach !== 'company' || row.makers === true) return;
    expect(await send(world.colleague, method, row.call(row.id?.(world) ?? UNKNOWN))).toMatchObject({ status: 200 });
  });

  it('shows the second company nothing of the first', async () => {
    const response = await send(
      row.reach === 'manager' ? world.eveManager : world.eve,
      method,
      row.call(row.id?.(world) ?? UNKNOWN),
    );
    expect(JSON.stringify(response.body)).not.toContain(CANARY);
    expect(JSON.stringify(response.body)).not.toContain(world.owner.companyId);
  });
});

describe.each(Object.entries(MATRIX).filter(([, row]) => row.call(UNKNOWN).body !== undefined))(
  '%s with a hostile body',
  (route, row) => {
    const [method] = route.split(' ') as [string];
    const call = row.call(UNKNOWN);

    it('answers every wrong type of every field in the envelope, below 500', async () => {
      for (const field of Object.keys(call.body!)) {
        const bodies = WRONG_TYPES.map((value) => ({ ...call.body, [field]: value }));
        const answers = await Promise.all(bodies.map((body) => send(world.eve, method, { path: call.path, body })));
        for (const [index, response] of answers.entries()) {
          expect(response.status, `${field}: ${JSON.stringify(WRONG_TYPES[index]).slice(0, 40)}`).toBeLessThan(500);
          expect(response.body).toMatchObject({
            error: expect.any(Boolean) as boolean,
            message: expect.any(String) as string,
          });
        }
      }
    });

    it('answers bodies that are no object with a 400', async () => {
      for (const text of RAW_BODIES) {
        const response = await fetch(`${api.url}/api/v1${call.path}`, {
          method,
          body: text,
          headers: { 'content-type': 'application/json', authorization: `Bearer ${world.eve.token}` },
        });
        const body = (await response.json()) as Record<string, unknown>;
        expect(body, text).toMatchObject({
          error: expect.any(Boolean) as boolean,
          message: expect.any(String) as string,
        });
        expect(response.status, text).toBeLessThan(500);
        expect([response.status === 200, response.status >= 400]).toContain(true);
      }
    });

    it('refuses a body of another type with 415, and a large one with 413', async () => {
      const headers = { authorization: `Bearer ${world.eve.token}` };
      const url = `${api.url}/api/v1${call.path}`;
      const xml = await fetch(url, {
        method,
        body: '<a/>',
        headers: { ...headers, 'content-type': 'application/xml' },
      });
      expect({ status: xml.status, body: await xml.json() }).toMatchObject({ status: 415, body: { error: true } });
      const large = await fetch(url, {
        method,
        body: `{"a":"${'x'.repeat(row.bodyLimit ?? 1024 * 1024)}"}`,
        headers: { ...headers, 'content-type': 'application/json' },
      });
      expect({ status: large.status, body: await large.json() }).toMatchObject({ status: 413, body: { error: true } });
    });
  },
);

describe('what no route takes', () => {
  it.each(['/nothing', '/secure/nothing', '/secure/user', '/../../etc/passwd', '/secure/%ff'])(
    '%s is answered in the envelope',
    async (path) => {
      const response = await world.eve.get(path);
      expect([400, 404]).toContain(response.status);
      expect(response.body).toMatchObject({ error: true, message: expect.any(String) as string });
    },
  );

  it('keeps a sane request id of the caller, and replaces another', async () => {
    const kept = await world.eve.get('/secure/currentuser', { 'x-request-id': 'abc-1' });
    expect(kept.headers.get('x-request-id')).toBe('abc-1');
    const replaced = await world.eve.get('/secure/currentuser', { 'x-request-id': 'a b<script>' });
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
