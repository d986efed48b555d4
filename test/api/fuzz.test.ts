import fc from 'fast-check';
import { expect, it } from 'vitest';
import { aService } from './a-service.js';
import { MATRIX } from './matrix.rows.js';
import { importedDatasource, openConversation } from './world.builder.js';

const REQUESTS = process.env['TEST_LONG'] === '1' ? 40_000 : 300;
const UNKNOWN = 'f'.repeat(24);

const api = await aService();
const eve = await api.signIn('globex', { role: 'manager' });
const datasource = await importedDatasource(api, eve);
const ids = [datasource, await openConversation(eve, datasource), eve.id, eve.companyId, UNKNOWN];

/** Text that would do, but for halves of surrogate pairs in it: only JSON's escapes can write one. */
const whole = fc.constantFrom('', 'a', '@x.y', ' average value', UNKNOWN, '2024-01-01');
const brokenText = fc
  .tuple(whole, fc.constantFrom('\ud800', '\udbff', '\udc00', '\udfff'), whole)
  .map((parts) => parts.join(''));

/** What a caller can send: mostly of the kind that breaks something somewhere. */
const anyValue = fc.oneof(
  fc.constantFrom(...ids),
  fc.constantFrom('', ' ', '\u0000', '\ud800', '../..', '%00', "' OR 1=1 --", '{"$ne":null}', '${7*7}', '‮'),
  fc.constantFrom(-1, 0, 1e308, -1e308, 5e-324, 2 ** 53, null, true, [], {}, [[]], { $gt: '' }, { length: 1e9 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  brokenText,
  fc.jsonValue(),
);

interface FuzzedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

const routes = Object.keys(MATRIX).filter((route) => route !== 'POST secure/logout');
const anyId = fc.oneof(fc.constantFrom(...ids), fc.string({ unit: 'grapheme', maxLength: 60 }).map(encodeURIComponent));
const extras = fc.dictionary(
  fc.oneof({ weight: 20, arbitrary: fc.string({ maxLength: 8 }) }, brokenText),
  fc.jsonValue(),
  { maxKeys: 3 },
);
/** A route with an id or any text in its place, and any values, or none, in its body's fields. */
const anyRequest = fc.tuple(fc.constantFrom(...routes), anyId).chain(([route, id]): fc.Arbitrary<FuzzedRequest> => {
  const [method = 'GET'] = route.split(' ');
  const { path, body } = MATRIX[route]!.call(id);
  if (body === undefined) return fc.constant({ method, path, body: undefined });
  const known = fc.record(Object.fromEntries(Object.keys(body).map((field) => [field, anyValue])), {
    requiredKeys: [],
  });
  return fc
    .tuple(extras, known)
    .map(([extra, fields]) => ({ method, path, body: JSON.stringify({ ...extra, ...fields }) }));
});

const HALF_AN_ADDRESS = { method: 'POST', path: '/login', body: '{"email":"\\ud800@x.y","password":"x"}' };

function send({ method, path, body }: FuzzedRequest): Promise<Response> {
  const prefix = path.startsWith('/health') ? '' : '/api/v1';
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return fetch(`${api.url}${prefix}${path}`, {
    method,
    signal: AbortSignal.timeout(5000),
    headers: { authorization: `Bearer ${String(eve.token)}`, ...type },
    ...(body === undefined ? {} : { body }),
  });
}

it(
  `${REQUESTS} requests that nobody should send are answered in the envelope, in time, and never with a 5xx`,
  async () => {
    const property = fc.asyncProperty(anyRequest, async (request) => {
      const response = await send(request);
      const text = await response.text();
      expect(response.status, `${JSON.stringify(request)}: ${text}`).toBeLessThan(500);
      const type = response.headers.get('content-type') ?? '';
      if (/^(?:image\/|text\/csv|application\/yaml|application\/x-ipynb)/.test(type)) return;
      const envelope = { error: expect.any(Boolean) as boolean, message: expect.any(String) as string };
      expect(JSON.parse(text)).toMatchObject(envelope);
    });
    await fc.assert(property, { numRuns: REQUESTS, endOnFailure: true, examples: [[HALF_AN_ADDRESS]] });
    expect((await eve.get('/health/ready')).status).toBe(200);
  },
  60_000 + REQUESTS * 100,
);
