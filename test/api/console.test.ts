import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtConsole } from '../../src/adapters/system/console-files.js';
import { useConsole } from '../../src/features/console/console.routes.js';
import { sendSecurityHeaders } from '../../src/http/server.js';

const PAGE = '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><script src="/assets/a.js"></script>';
const SCRIPT = 'console.log("a");'.repeat(100);

describe('serving the console', () => {
  let folder: string;
  const server = Fastify({ exposeHeadRoutes: false });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'das-console-'));
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), PAGE);
    await writeFile(join(folder, 'icon.svg'), '<svg/>');
    await writeFile(join(folder, 'scheme.js'), '1');
    await writeFile(join(folder, 'assets', 'a.js'), SCRIPT);
    await writeFile(join(folder, 'assets', 'a.js.gz'), gzipSync(SCRIPT));
    sendSecurityHeaders(server);
    // What is used of the application is its server.
    const app = { getHttpAdapter: () => ({ getInstance: () => server }) } as unknown as NestFastifyApplication;
    await useConsole(app, builtConsole(folder));
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const html = { accept: 'text/html,application/xhtml+xml' };

  it.each(['/', '/datasources', '/datasources/6b1f?tab=explore', '/apis', '/healthy'])(
    'answers %s with the page',
    async (url) => {
      const { statusCode, headers, body } = await server.inject({ url, headers: html });
      expect(statusCode).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['cache-control']).toBe('no-cache');
      expect(headers.etag).toBeUndefined();
      expect(body).not.toContain('__CSP_NONCE__');
    },
  );

  it.each(['/api', '/api/v1/nothing', '/docs/nothing', '/docs-json?x', '/health/nothing', '/metrics'])(
    'never answers %s with the page',
    async (url) => {
      const { statusCode, headers } = await server.inject({ url, headers: html });
      expect(statusCode).toBe(404);
      expect(headers['content-type']).toMatch(/json/);
      expect(headers['content-security-policy']).toMatch(/default-src '(none|self)'|default-src 'none'/);
      expect(headers['content-security-policy']).not.toContain('nonce');
    },
  );

  it.each([
    ['/assets/gone.js', html],
    ['/assets/../index.html', html],
    ['/assets/%2e%2e/index.html', html],
    ['/datasources', { accept: 'application/json' }],
    ['/favicon.ico', { accept: 'image/*' }],
  ])('says that %s is not there', async (url, headers) => {
    const answer = await server.inject({ url, headers });
    if (answer.statusCode === 200) expect(answer.body).not.toContain(SCRIPT);
    else expect([400, 403, 404]).toContain(answer.statusCode);
    expect(answer.headers['cache-control'] ?? '').not.toContain('immutable');
  });

  it('has another nonce in each answer, the same in policy and page, and no way to inline scripts', async () => {
    const [one, two] = await Promise.all([
      server.inject({ url: '/', headers: html }),
      server.inject({ url: '/', headers: html }),
    ]);
    const nonceOf = ({ headers }: typeof one): string =>
      /style-src 'self' 'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1] ?? '';
    expect(nonceOf(one)).not.toBe('');
    expect(nonceOf(one)).not.toBe(nonceOf(two));
    expect(one.body).toContain(`nonce="${nonceOf(one)}"`);
    const policy = String(one.headers['content-security-policy']);
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe/);
  });

  it('takes no host into the policy that is none', async () => {
    const { headers } = await server.inject({
      url: '/',
      headers: { ...html, host: "evil; script-src 'unsafe-inline'" },
    });
    expect(headers['content-security-policy']).not.toContain('evil');
    const good = await server.inject({ url: '/', headers: { ...html, host: 'data.example:8443' } });
    expect(good.headers['content-security-policy']).toContain(
      "connect-src 'self' ws://data.example:8443 wss://data.example:8443;",
    );
  });

  it('sends hashed files for ever, compressed as they lie there', async () => {
    const { headers, rawPayload } = await server.inject({
      url: '/assets/a.js',
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'gzip',
    });
    expect(rawPayload).toEqual(gzipSync(SCRIPT));
    const plain = await server.inject({ url: '/assets/a.js' });
    expect(plain.body).toBe(SCRIPT);
    const icon = await server.inject({ url: '/icon.svg' });
    expect(icon.headers['cache-control']).toBe('no-cache');
  });
});

describe('without the console', () => {
  it('says how to build it', async () => {
    const server = Fastify();
    const app = { getHttpAdapter: () => ({ getInstance: () => server }) } as unknown as NestFastifyApplication;
    await useConsole(app, builtConsole('/nowhere'));
    const { statusCode, body } = await server.inject({ url: '/' });
    expect(statusCode).toBe(404);
    expect(body).toContain('npm run build');
    await server.close();
  });
});
