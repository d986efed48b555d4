import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, expect, it } from 'vitest';
import { builtConsole } from '../../src/adapters/system/console-files.js';
import { useConsole } from '../../src/features/console/console.routes.js';
import { sendSecurityHeaders } from '../../src/http/server.js';

const PAGE = '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><script src="/assets/a.js"></script>';
const SCRIPT = 'console.log("a");'.repeat(100);

async function serving(folder: string): Promise<FastifyInstance> {
  const server = Fastify({ exposeHeadRoutes: false });
  sendSecurityHeaders(server);
  // What is used of the application is its server.
  const app = { getHttpAdapter: () => ({ getInstance: () => server }) } as unknown as NestFastifyApplication;
  await useConsole(app, builtConsole(folder));
  return server;
}

const folder = await mkdtemp(join(tmpdir(), 'das-console-'));
await mkdir(join(folder, 'assets'));
const files = { 'index.html': PAGE, 'icon.svg': '<svg/>', 'scheme.js': '1', 'assets/a.js': SCRIPT };
for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
await writeFile(join(folder, 'assets', 'a.js.gz'), gzipSync(SCRIPT));
const server = await serving(folder);
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const html = { accept: 'text/html,application/xhtml+xml' };

it.each(['/', '/datasources', '/datasources/6b1f?tab=explore', '/apis', '/healthy'])(
  'the console answers %s with the page',
  async (url) => {
    const { statusCode, headers, body } = await server.inject({ url, headers: html });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    expect(headers.etag).toBeUndefined();
    expect(body).not.toContain('__CSP_NONCE__');
  },
);

it.each(['/api', '/api/v1/nothing', '/docs/nothing', '/docs-json?x', '/health/nothing', '/metrics'])(
  'the console never answers %s with the page',
  async (url) => {
    const { statusCode, headers } = await server.inject({ url, headers: html });
    expect(statusCode).toBe(404);
    expect(headers['content-type']).toMatch(/json/);
    expect(headers['content-security-policy']).toMatch(/default-src '(none|self)'/);
    expect(headers['content-security-policy']).not.toContain('nonce');
  },
);

it.each([
  ['/assets/gone.js', html],
  ['/assets/../index.html', html],
  ['/assets/%2e%2e/index.html', html],
  ['/datasources', { accept: 'application/json' }],
  ['/favicon.ico', { accept: 'image/*' }],
])('the console says that %s is not there', async (url, headers) => {
  const answer = await server.inject({ url, headers });
  if (answer.statusCode === 200) expect(answer.body).not.toContain(SCRIPT);
  else expect([400, 403, 404]).toContain(answer.statusCode);
  expect(answer.headers['cache-control'] ?? '').not.toContain('immutable');
});

it('the policy has another nonce in each answer, the same as the page, and no way to inline scripts', async () => {
  const ask = async (): Promise<{ nonce: string; body: string; policy: string }> => {
    const { headers, body } = await server.inject({ url: '/', headers: html });
    const policy = String(headers['content-security-policy']);
    return { nonce: /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? '', body, policy };
  };
  const [one, two] = [await ask(), await ask()];
  expect(one.nonce).not.toBe('');
  expect(one.nonce).not.toBe(two.nonce);
  expect(one.body).toContain(`nonce="${one.nonce}"`);
  expect(one.policy).toContain("script-src 'self';");
  expect(one.policy).not.toMatch(/unsafe/);
});

it('the policy takes no host in that is none', async () => {
  const policyOf = async (host: string): Promise<unknown> =>
    (await server.inject({ url: '/', headers: { ...html, host } })).headers['content-security-policy'];
  expect(await policyOf("evil; script-src 'unsafe-inline'")).not.toContain('evil');
  const own = "connect-src 'self' ws://data.example:8443 wss://data.example:8443;";
  expect(await policyOf('data.example:8443')).toContain(own);
});

it('hashed files are kept for ever, and sent compressed as they lie there', async () => {
  const ask = (url: string, headers = {}) => server.inject({ url, headers });
  const { headers, rawPayload } = await ask('/assets/a.js', { 'accept-encoding': 'gzip' });
  const forEver = { 'cache-control': 'public, max-age=31536000, immutable', 'content-encoding': 'gzip' };
  expect(headers).toMatchObject(forEver);
  expect(rawPayload).toEqual(gzipSync(SCRIPT));
  expect((await ask('/assets/a.js')).body).toBe(SCRIPT);
  expect((await ask('/icon.svg')).headers['cache-control']).toBe('no-cache');
});

it('without the console it is said how to build it', async () => {
  const without = await serving('/nowhere');
  const { statusCode, body } = await without.inject({ url: '/' });
  expect(statusCode).toBe(404);
  expect(body).toContain('npm run build');
  await without.close();
});
