import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import compress from '@fastify/compress';
import cors from '@fastify/cors';
import multipart from '@fastify/multipart';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { context, propagation, type Span, SpanKind, trace } from '@opentelemetry/api';
import { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { AppConfig } from '../config/app-config.js';
import { AppError } from '../shared/app-error.js';
import { Metrics } from '../ports/metrics.js';
import { failSpan, tracer, Tracing } from '../ports/tracing.js';
import { endInTime, endSlowBodies } from './body-deadline.js';
import { failed } from './envelope.wire.js';
import { failureOf } from './failure.js';
import { hasHalfCharacter, isDeeperThan, isJson } from './json-depth.js';
import { Traffic } from './traffic.js';

const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;
const JSON_LIMIT = 1024 * 1024;
/** A thousand rows may be long. */
const LARGER_JSON_LIMITS: Readonly<Record<string, number>> = {
  '/api/v1/secure/datasource/insert': 8 * 1024 * 1024,
};
const MAX_JSON_DEPTH = 64;
const HALF_CHARACTER = 'the body has half of a surrogate pair, \\ud800 to \\udfff, which is no character';
const FORBIDDEN_NAME = 'the body has a field named __proto__, or prototype within constructor, which is not taken';
const JSON_TOO_DEEP = `the body has lists or objects more than ${MAX_JSON_DEPTH} deep in one another`;

/** Fastify with our own limits: see `docs/api.md`. */
export function serverAdapter(config: AppConfig, logger: Logger): FastifyAdapter {
  return new FastifyAdapter({
    loggerInstance: logger,
    // One line per request is ours to write: see logRequests.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    trustProxy: trusted(config.server.trustProxy),
    bodyLimit: JSON_LIMIT,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    requestTimeout: 0,
    http: { headersTimeout: 30_000, connectionsCheckingInterval: 5_000 },
    // The last word of a stop: see Traffic.
    forceCloseConnections: true,
    return503OnClosing: false,
    clientErrorHandler: answerNoRequest,
    // Addresses that can't be decoded never reach a hook or the error filter.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      endInTime(request);
      const { status, message } = failureOf(error);
      void reply.status(status).send(failed(message));
    },
    routerOptions: { maxParamLength: 200 },
  });
}

const NOT_HTTP: readonly [number, string] = [400, 'the request is not valid HTTP'];
const NO_REQUEST: Readonly<Record<string, readonly [number, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'the headers and the address are longer than 16 KiB together'],
};

/** What Node can't read as a request reaches no hook either. */
function answerNoRequest({ code }: { readonly code: string }, socket: Socket): void {
  const [status, message] = NO_REQUEST[code] ?? NOT_HTTP;
  const body = JSON.stringify(failed(message));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `x-request-id: ${randomUUID()}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${body.length}`,
    'connection: close',
  ].join('\r\n');
  if (socket.writable && code !== 'ECONNRESET') socket.write(`${head}\r\n\r\n${body}`);
  socket.destroy();
}

/** Hop 0 is who has connected. A bare number would mean nobody to Fastify. */
function trusted(
  proxies: number | readonly string[],
): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (proxies === 0) return false;
  return typeof proxies === 'number' ? (_, hop) => hop < proxies : [...proxies];
}

/** The caller's own id, if it is a sane one; else a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** What every request and answer passes through before and after Nest. */
export async function setUpServer(app: NestFastifyApplication, config: AppConfig, logger: Logger): Promise<void> {
  const server = app.getHttpAdapter().getInstance();
  endSlowBodies(server);
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
  logRequests(server, logger);
  // No hook for what nobody wants to know.
  const metrics = app.get(Metrics);
  if (metrics.on) countRequests(server, metrics);
  if (app.get(Tracing).on) traceRequests(server);
  app.get(Traffic).watch(server);
}

function acceptLargerJson(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const limit = LARGER_JSON_LIMITS[route.url];
    if (limit !== undefined) route.bodyLimit = limit;
  });
}

/**
 * A JSON body of no characters is no body: some clients send the header with every POST. One that is too deep is refused unread, and half a
 * character (only JSON's escapes can write one) before anything looks at it.
 */
function readJson(server: FastifyInstance): void {
  // Fastify's own: no route takes it.
  server.removeContentTypeParser('text/plain');
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const json = String(body);
    if (json === '') done(null);
    else if (isDeeperThan(json, MAX_JSON_DEPTH)) done(new AppError('invalid_input', JSON_TOO_DEEP));
    else
      void parse(request, json, (error, value: unknown) => {
        if (error === null && hasHalfCharacter(json, value)) done(new AppError('invalid_input', HALF_CHARACTER));
        else if (error !== null && isJson(json)) done(new AppError('invalid_input', FORBIDDEN_NAME));
        else done(error, value);
      });
  });
}

function answerWithRequestId(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
}

/**
 * One line per request, with the route's pattern: an address may hold a token. None of its fields can hold a secret, and to look for some
 * would take a tenth of the time of a request.
 */
function logRequests(server: FastifyInstance, logger: Logger): void {
  const log = logger.child({}, { redact: [] });
  server.addHook('onResponse', (request, reply, done) => {
    log.info(
      {
        reqId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user: request.principal?.userId,
        key: request.principal?.key?.id,
      },
      'request',
    );
    done();
  });
}

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

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Of every address that is no route, so that strangers can't make up names. */
const NO_ROUTE = 'unmatched';

/** Counts every request, under its route's pattern. */
function countRequests(server: FastifyInstance, metrics: Metrics): void {
  server.addHook('onResponse', (request, reply, done) => {
    const labels = {
      method: methodOf(request),
      route: routeOf(request),
      status: `${Math.floor(reply.statusCode / 100)}xx`,
    };
    metrics.observe('http_request_duration_seconds', labels, reply.elapsedTime / 1000);
    done();
  });
}

/** Traces every request, under its route's pattern. */
function traceRequests(server: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  server.addHook('onRequest', (request, _reply, done) => {
    const [method, route] = [methodOf(request), routeOf(request)];
    const attributes = { 'http.request.method': method, 'http.route': route };
    const { traceparent } = request.headers;
    const parent = propagation.extract(context.active(), { traceparent });
    spans.set(request, tracer().startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent));
    done();
  });
  // After the body was read: what reads it does not keep what was active before.
  server.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else context.with(trace.setSpan(context.active(), span), done);
  });
  server.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', reply.statusCode);
    if (span !== undefined && reply.statusCode >= 500) failSpan(span, new Error('a request failed'));
    span?.end();
    done();
  });
}

function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? NO_ROUTE;
}

function methodOf({ method }: FastifyRequest): string {
  return METHODS.includes(method) ? method : 'other';
}
