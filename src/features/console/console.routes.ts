import { randomBytes } from 'node:crypto';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failed } from '../../http/envelope.wire.js';

/** The console as `npm run build` leaves it. */
export interface ConsoleBuild {
  /** Absolute. */
  readonly folder: string;
  /** The text of its one page, with `NONCE_PLACE` where the answer's nonce belongs. */
  readonly page: string;
}

/** What stands in the built page for the nonce of an answer: see `web/vite.config.js`. */
export const NONCE_PLACE = '__CSP_NONCE__';

/** Addresses that are the API's, and never the console's, whatever a client accepts. */
const RESERVED = /^\/(api|docs|docs-json|docs-yaml|health|mcp|metrics)([/?#]|$)/;
/** Their names change with their content. */
const HASHED = { immutable: true, maxAge: '365d' } as const;
const NOT_BUILT =
  'the console is not built: run "npm run build" and start the service again; the API is at /api/v1, its documentation at /docs';

/** Serves the console at `/`: its files, and its page for every address that a browser opens and that is not the API's. */
export async function useConsole(app: NestFastifyApplication, build: ConsoleBuild | null): Promise<void> {
  const server: FastifyInstance = app.getHttpAdapter().getInstance();
  if (build === null) {
    server.get('/', (_request, reply) => reply.status(404).send(failed(NOT_BUILT)));
    return;
  }
  await server.register(fastifyStatic, { root: build.folder, serve: false, preCompressed: true, cacheControl: false });
  server.get<{ Params: { '*': string } }>('/assets/*', (request, reply) =>
    reply.sendFile(`assets/${request.params['*']}`, { ...HASHED, cacheControl: true }),
  );
  for (const file of ['icon.svg', 'scheme.js']) {
    server.get(`/${file}`, (_request, reply) => reply.header('cache-control', 'no-cache').sendFile(file));
  }
  for (const address of ['/', '/*']) server.get(address, (request, reply) => sendPage(request, reply, build.page));
}

/** Deep links lead to the page, which knows what to show there. Made anew for each answer, so without a validator. */
function sendPage(request: FastifyRequest, reply: FastifyReply, page: string): FastifyReply {
  if (RESERVED.test(request.url) || !isOpenedByBrowser(request)) {
    reply.callNotFound();
    return reply;
  }
  const nonce = randomBytes(16).toString('base64');
  return reply
    .header('content-security-policy', consolePolicy(nonce, request.headers.host))
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(NONCE_PLACE, nonce));
}

/** Whoever asks for a script, an image or JSON must hear that it is not there. */
function isOpenedByBrowser({ headers, url }: FastifyRequest): boolean {
  return url === '/' || (headers.accept ?? '').includes('text/html');
}

/** A host as browsers send it; what else a client writes there must not get into a header. */
const HOST = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/;

/**
 * The policy of the console's page. Scripts come from files alone, without eval. Style elements need the answer's own nonce: the component
 * library writes its colours and breakpoints into some. Attributes of style stay forbidden; the console sets styles through the DOM.
 */
function consolePolicy(nonce: string, host: string | undefined): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    `connect-src 'self'${socketOrigins(host)}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Not every browser takes `'self'` for the sockets of the same host. */
function socketOrigins(host: string | undefined): string {
  return host !== undefined && HOST.test(host) ? ` ws://${host} wss://${host}` : '';
}
