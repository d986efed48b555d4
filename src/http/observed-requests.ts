import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '../ports/metrics.js';
import type { Span, Tracing } from '../ports/tracing.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Of every address that is no route, so that strangers can't make up names. */
const NO_ROUTE = 'unmatched';

/** Counts and traces every request, under its route's pattern. Adds no hook for what nobody wants to know. */
export function observeRequests(server: FastifyInstance, metrics: Metrics, tracing: Tracing): void {
  if (metrics.on) countRequests(server, metrics);
  if (tracing.on) traceRequests(server, tracing);
}

function countRequests(server: FastifyInstance, metrics: Metrics): void {
  server.addHook('onResponse', (request, reply, done) => {
    const labels = { method: methodOf(request), route: routeOf(request), status: classOf(reply.statusCode) };
    metrics.observe('http_request_duration_seconds', labels, reply.elapsedTime / 1000);
    done();
  });
}

function traceRequests(server: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  server.addHook('onRequest', (request, _reply, done) => {
    const [method, route] = [methodOf(request), routeOf(request)];
    const facts = { 'http.request.method': method, 'http.route': route };
    const { traceparent } = request.headers;
    const parent = typeof traceparent === 'string' ? traceparent : null;
    spans.set(request, tracing.begin({ name: `${method} ${route}`, kind: 'server', facts, parent }));
    done();
  });
  // After the body was read: what reads it does not keep what was active before.
  server.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else span.run(done);
  });
  server.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.add({ 'http.response.status_code': reply.statusCode });
    if (reply.statusCode >= 500) span?.fail(new Error('a request failed'));
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

function classOf(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}
