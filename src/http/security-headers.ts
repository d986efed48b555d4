import type { FastifyInstance } from 'fastify';

/** Tells browsers to take no answer for anything but what it is: the OWASP REST Security Cheat Sheet's list. */
const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const DATA = { ...EVERYWHERE, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" } as const;

/** The documentation page brings its own scripts and styles, and its icons as data. */
const PAGE = {
  ...EVERYWHERE,
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
} as const;

/** The headers never change, so they are written as they stand: computing them for each answer costs more than the rest of the server. */
export function sendSecurityHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(request.url.startsWith('/docs') ? PAGE : DATA);
    done();
  });
}
