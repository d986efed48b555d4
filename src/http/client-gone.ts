import type { ServerResponse } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

const askers = new WeakMap<ServerResponse, AbortController>();

/** Aborted when the caller goes away before the answer is sent. */
export const ClientGone = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const { raw } = context.switchToHttp().getResponse<FastifyReply>();
  const gone = new AbortController();
  if (raw.closed) gone.abort();
  askers.set(raw, gone);
  return gone.signal;
});

/**
 * To be called when a response has closed. `Traffic` listens for all of us: with what the framework adds, one listener more for a download
 * is more than Node takes without a warning.
 */
export function tellGone(response: ServerResponse): void {
  if (!response.writableFinished) askers.get(response)?.abort();
}
