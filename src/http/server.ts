import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import compress from '@fastify/compress';
import cors from '@fastify/cors';
import multipart from '@fastify/multipart';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { AppConfig } from '../config/app-config.js';
import { AppError } from '../shared/app-error.js';
import { Metrics } from '../ports/metrics.js';
import { Tracing } from '../ports/tracing.js';
import { failed } from './envelope.js';
import { failureOf } from './failure.js';
import { isDeeperThan } from './json-depth.js';
import { observeRequests } from './observed-requests.js';
import { sendSecurityHeaders } from './security-headers.js';

const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;
const JSON_LIMIT = 1024 * 1024;
/** A thousand rows may be long. */
const LARGER_JSON_LIMITS: Readonly<Record<string, number>> = {
  '/api/v1/secure/datasource/insert': 8 * 1024 * 1024,
};
const MAX_JSON_DEPTH = 64;
const JSON_TOO_DEEP = `the body has lists or objects more than ${MAX_JSON_DEPTH} deep in one another`;
/** A body that is no upload must have arrived by then; uploads have a minimum rate of their own. */
const BODY_DEADLINE_MS = 30_000;

/** Fastify with our own limits: see `docs/api.md`. */
export function serverAdapter(config: AppConfig, logger: Logger): FastifyAdapter {
  const adapter = new FastifyAdapter({
    loggerInstance: logger,
    // One line per request is ours to write: see logRequests.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    trustProxy: config.server.trustProxy,
    bodyLimit: JSON_LIMIT,
    exposeHeadRoutes: false,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    requestTimeout: 0,
    // Addresses that can't be decoded never reach the error filter.
    frameworkErrors: (error: Error, _request: FastifyRequest, reply: FastifyReply) => {
      const { status, message } = failureOf(error);
      void reply.status(status).send(failed(message));
    },
    routerOptions: { maxParamLength: 200 },
  });
  return adapter;
}

/** The caller's own id, if it is a sane one; else a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** What every request and answer passes through before and after Nest. */
export async function setUpServer(app: NestFastifyApplication, config: AppConfig): Promise<void> {
  const server = app.getHttpAdapter().getInstance();
  sendSecurityHeaders(server);
  acceptLargerJson(server);
  if (config.server.corsOrigins.length > 0) {
    await server.register(cors, {
      origin: [...config.server.corsOrigins],
      credentials: true,
      exposedHeaders: ['x-request-id', 'retry-after', 'content-disposition', 'idempotency-replayed'],
    });
  }
  await server.register(compress, { global: true, threshold: 1024, encodings: ['gzip'] });
  await server.register(multipart, {
    limits: { fileSize: config.limits.uploadMaxBytes, files: 20, fields: 20, headerPairs: 100 },
  });
  readJson(server);
  answerWithRequestId(server);
  endSlowBodies(server);
  logRequests(server);
  observeRequests(server, app.get(Metrics), app.get(Tracing));
  server.addHook('preClose', (done) => {
    // Connections that wait for nothing but another request would hold up the stop.
    const sweep = setInterval(() => {
      server.server.closeIdleConnections();
    }, 100);
    server.server.once('close', () => {
      clearInterval(sweep);
    });
    done();
  });
}

function acceptLargerJson(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const limit = LARGER_JSON_LIMITS[route.url];
    if (limit !== undefined) route.bodyLimit = limit;
  });
}

/** A JSON body of no characters is no body: some clients send the header with every POST. One that is too deep is refused unread. */
function readJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const json = String(body);
    if (json === '') done(null);
    else if (isDeeperThan(json, MAX_JSON_DEPTH)) done(new AppError('invalid_input', JSON_TOO_DEEP));
    else void parse(request, json, done);
  });
}

function answerWithRequestId(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
}

function endSlowBodies(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const { headers, raw } = request;
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    if (hasBody && headers['content-type']?.startsWith('multipart/') !== true) {
      const deadline = setTimeout(() => {
        if (!raw.complete) raw.destroy();
      }, BODY_DEADLINE_MS);
      raw.once('close', () => {
        clearTimeout(deadline);
      });
      raw.once('end', () => {
        clearTimeout(deadline);
      });
    }
    done();
  });
}

/** One line per request, with the route's pattern: an address may hold a token. */
function logRequests(server: FastifyInstance): void {
  server.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user: request.principal?.userId,
      },
      'request',
    );
    done();
  });
}
