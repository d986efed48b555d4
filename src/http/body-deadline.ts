import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const BODY_DEADLINE_MS = 30_000;

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** A body must have arrived in time, whatever it is called, and also when it was answered before; else its connection is closed. */
export function endSlowBodies(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (length !== undefined || encoding !== undefined) endInTime(request);
    done();
  });
}

/** For an upload of somebody who may: it takes as long as it takes, and has a minimum rate of its own. */
export function takeTime({ raw }: FastifyRequest): void {
  clearTimeout(deadlines.get(raw));
}

/** The rest of the body has so long from now on. */
export function endInTime({ raw }: FastifyRequest): void {
  if (raw.complete || raw.destroyed) return;
  const deadline = setTimeout(() => {
    if (!raw.complete) raw.destroy();
  }, BODY_DEADLINE_MS);
  deadlines.set(raw, deadline);
  for (const end of ['end', 'close']) {
    raw.once(end, () => {
      clearTimeout(deadline);
    });
  }
}
