import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../support/test-api.js';
import { MATRIX } from './matrix.rows.js';
import { importedDatasource, openConversation } from './world.builder.js';

const REQUESTS = process.env['TEST_LONG'] === '1' ? 40_000 : 300;
const UNKNOWN = 'f'.repeat(24);

const api = await startTestApi({ environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' } });
const eve = await api.signIn('globex', { role: 'manager' });
const datasource = await importedDatasource(api, eve);
const ids = [datasource, await openConversation(eve, datasource), eve.id, eve.companyId, UNKNOWN];
afterAll(() => api[Symbol.asyncDispose]());

/** Values that a caller can send: mostly of the kind that breaks something somewhere. */
function anyValue(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.constantFrom(...ids),
    fc.constantFrom('', ' ', '\u0000', '\ud800', '../..', '%00', "' OR 1=1 --", '{"$ne":null}', '${7*7}', '‮'),
    fc.constantFrom(-1, 0, 1e308, -1e308, 5e-324, 2 ** 53, null, true, [], {}, [[]], { $gt: '' }, { length: 1e9 }),
    fc.string({ unit: 'binary', maxLength: 300 }),
    brokenText(),
    fc.jsonValue(),
  );
}

/** Text that would do, but for halves of surrogate pairs in it: only JSON's escapes can write one. */
function brokenText(): fc.Arbitrary<string> {
  const half = fc.constantFrom('\ud800', '\udbff', '\udc00', '\udfff');
  const whole = fc.constantFrom('', 'a', '@x.y', ' average value', 'f'.repeat(24), '2024-01-01');
  return fc.tuple(whole, half, whole).map((parts) => parts.join(''));
}

interface FuzzedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

/** A route with an id or any text in its place, and any values, or none, in its body's fields. */
function anyRequest(): fc.Arbitrary<FuzzedRequest> {
  const routes = Object.entries(MATRIX).filter(([route]) => route !== 'POST secure/logout');
  const text = fc.string({ unit: 'grapheme', maxLength: 60 }).map(encodeURIComponent);
  return fc
    .tuple(fc.constantFrom(...routes), fc.oneof(fc.constantFrom(...ids), text))
    .chain(([[route, row], id]): fc.Arbitrary<FuzzedRequest> => {
      const [method = 'GET'] = route.split(' ');
      const { path, body } = row.call(id);
      if (body === undefined) return fc.constant({ method, path, body: undefined });
      const fields = Object.fromEntries(Object.keys(body).map((field) => [field, anyValue()]));
      const bodies = fc.record(fields, { requiredKeys: [] });
      const name = fc.oneof({ weight: 20, arbitrary: fc.string({ maxLength: 8 }) }, brokenText());
      const extras = fc.dictionary(name, fc.jsonValue(), { maxKeys: 3 });
      return fc
        .tuple(extras, bodies)
        .map(([extra, known]) => ({ method, path, body: JSON.stringify({ ...extra, ...known }) }));
    });
}

const HALF_AN_ADDRESS: FuzzedRequest = {
  method: 'POST',
  path: '/login',
  body: JSON.stringify({ email: '\ud800@x.y', password: 'x' }),
};

async function send({ method, path, body }: FuzzedRequest): Promise<Response> {
  const prefix = path.startsWith('/health') ? '' : '/api/v1';
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return fetch(`${api.url}${prefix}${path}`, {
    method,
    signal: AbortSignal.timeout(5000),
    headers: { authorization: `Bearer ${String(eve.token)}`, ...type },
    ...(body === undefined ? {} : { body }),
  });
}

describe(`${REQUESTS} requests that nobody should send`, () => {
  it(
    'are answered in the envelope, in time, and never with a 5xx',
    async () => {
      await fc.assert(
        fc.asyncProperty(anyRequest(), async (request) => {
          const response = await send(request);
          const text = await response.text();
          expect(response.status, `${JSON.stringify(request)}: ${text}`).toBeLessThan(500);
          if (
            /^(?:image\/|text\/csv|application\/yaml|application\/x-ipynb)/.test(
              response.headers.get('content-type') ?? '',
            )
          )
            return;
          expect(JSON.parse(text)).toMatchObject({
            error: expect.any(Boolean) as boolean,
            message: expect.any(String) as string,
          });
        }),
        { numRuns: REQUESTS, endOnFailure: true, examples: [[HALF_AN_ADDRESS]] },
      );
      expect((await eve.get('/health/ready')).status).toBe(200);
    },
    60_000 + REQUESTS * 100,
  );
});
