import { describe, expect, it } from 'vitest';
import { RouteTable } from '../../src/http/route-table.js';
import { TestClient, type TestResponse } from '../support/test-client.js';
import { aService } from './a-service.js';
import { MATRIX, type MatrixRow } from './matrix.rows.js';
import { CANARY, aWorld } from './world.builder.js';

const UNKNOWN = 'f'.repeat(24);
const MALFORMED = ['not-an-id', '%00', '..%2f..%2fetc', 'a'.repeat(23), 'g'.repeat(24)];
const WRONG_TYPES: readonly unknown[] = [{ $ne: null }, [], 7, true, null, '', 'x'.repeat(20_000), '\u0000'];
const RAW_BODIES = ['', '{', 'null', '[]', '7', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":1}}'];
const ENVELOPE = { error: expect.any(Boolean) as boolean, message: expect.any(String) as string };

const api = await aService();
const world = await aWorld(api);

function expectRefusal(response: TestResponse, ...statuses: readonly number[]): void {
  expect(statuses).toContain(response.status);
  expect(response.body).toMatchObject({ error: true, message: expect.any(String) as string });
  expect(response.headers.get('x-request-id')).toMatch(/^[\w-]+$/);
  expect(JSON.stringify(response.body)).not.toContain(CANARY);
}

/** The call succeeds with JSON, and changes nothing that another test needs. */
function isLook({ reach, changes = false, named = false, file = false }: MatrixRow): boolean {
  return reach !== 'public' && !changes && !named && !file;
}

it('every route has a row in the matrix, and the matrix no other', () => {
  const routes = api.get(RouteTable).routes();
  expect(routes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(Object.keys(MATRIX).sort());
});

const TRIED = Object.entries(MATRIX).filter(([, { reach, call }]) => reach !== 'public' || call(UNKNOWN).body);

describe.each(TRIED)('%s', (route, row) => {
  const [method = ''] = route.split(' ');
  const isManagers = row.reach === 'manager';
  const [insider, outsider] = isManagers ? [world.manager, world.eveManager] : [world.owner, world.eve];
  const ask = (client: TestClient, id = row.id?.(world) ?? UNKNOWN): Promise<TestResponse> => {
    const { path, body } = row.call(id);
    return client.send(method, path, body);
  };

  if (row.reach !== 'public')
    it('is refused without a valid token', async () => {
      for (const token of [null, 'x.y.z', '']) {
        const response = await ask(new TestClient(api.url, token, null));
        expectRefusal(response, 401);
        expect(response.body['message']).toBe('unauthorized - invalid token');
      }
    });

  if (row.id !== undefined)
    it('does not exist for another company, which is told what it is told of unknown ids, nor for malformed ones', async () => {
      const foreign = await ask(outsider);
      expectRefusal(foreign, 404);
      const { status, body } = foreign;
      expect(await ask(outsider, row.named === true ? `${UNKNOWN}.png` : UNKNOWN)).toMatchObject({ status, body });
      const answers = await Promise.all(MALFORMED.map((id) => ask(insider, id)));
      for (const answer of answers) expectRefusal(answer, 400, 404);
    });

  if (row.reach === 'owner')
    it('is private to its user, and hidden from colleagues and managers', async () => {
      for (const other of [world.colleague, world.manager]) expectRefusal(await ask(other), 404);
    });

  if (row.makers === true || isManagers)
    it('is forbidden to those who may not', async () => {
      const response = await ask(isManagers ? world.owner : world.colleague);
      expectRefusal(response, 403);
      if (isManagers) expect(response.body['message']).toBe('forbidden');
    });

  if (isLook(row))
    it('answers its own company with the envelope, and shows the second nothing of the first', async () => {
      const response = await ask(insider);
      expect(response).toMatchObject({ status: 200, body: { ...ENVELOPE, error: false } });
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      if (row.reach === 'company' && row.makers !== true)
        expect(await ask(world.colleague)).toMatchObject({ status: 200 });
      const theirs = JSON.stringify((await ask(outsider)).body);
      expect(theirs).not.toContain(CANARY);
      expect(theirs).not.toContain(world.owner.companyId);
    });

  const { path, body: sound } = row.call(UNKNOWN);
  if (sound === undefined) return;

  it('answers every wrong type of every field in the envelope, below 500', async () => {
    for (const field of Object.keys(sound)) {
      const bodies = WRONG_TYPES.map((value) => ({ ...sound, [field]: value }));
      const answers = await Promise.all(bodies.map((body) => outsider.send(method, path, body)));
      for (const [index, { status, body }] of answers.entries()) {
        expect(status, `${field}: ${JSON.stringify(WRONG_TYPES[index]).slice(0, 40)}`).toBeLessThan(500);
        expect(body).toMatchObject(ENVELOPE);
      }
    }
  });

  it('refuses half a character in a value and in a name, another type, and what is too large', async () => {
    const message = 'the body has half of a surrogate pair, \\ud800 to \\udfff, which is no character';
    for (const broken of [{ email: '\ud800@x.y' }, { deep: [{ '\udfff': 1 }] }]) {
      const { status, body } = await outsider.send(method, path, { ...sound, ...broken });
      expect({ status, body }).toEqual({ status: 400, body: { error: true, message } });
    }
    const xml = await outsider.send(method, path, '<a/>', { 'content-type': 'application/xml' });
    expectRefusal(xml, 415);
    expectRefusal(await outsider.send(method, path, { a: 'x'.repeat(row.bodyLimit ?? 1024 * 1024) }), 413);
  });

  it('answers bodies that are no object in the envelope, below 500', async () => {
    const answers = await Promise.all(RAW_BODIES.map((text) => outsider.send(method, path, text)));
    for (const [index, { status, body }] of answers.entries()) {
      expect(body, RAW_BODIES[index]).toMatchObject(ENVELOPE);
      expect(status === 200 || (status >= 400 && status < 500), RAW_BODIES[index]).toBe(true);
    }
  });
});

describe('what no route takes', () => {
  it.each(['/nothing', '/secure/nothing', '/secure/user', '/../../etc/passwd', '/secure/%ff'])(
    '%s is answered in the envelope',
    async (path) => {
      const { status, body } = await world.eve.get(path);
      expect([400, 404]).toContain(status);
      expect(body).toMatchObject({ ...ENVELOPE, error: true });
    },
  );

  it('keeps a sane request id of the caller, and replaces another', async () => {
    const kept = await world.eve.get('/secure/currentuser', { 'x-request-id': 'abc-1' });
    expect(kept.headers.get('x-request-id')).toBe('abc-1');
    const replaced = await world.eve.get('/secure/currentuser', { 'x-request-id': 'a b<script>' });
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
