import type { FastifyRequest } from 'fastify';
import type { Principal } from '../shared/principal.js';

/** Hears of requests that the role of who asks, or their key, does not allow. */
export abstract class Refusals {
  /** Nobody waits for it. */
  abstract tell(request: FastifyRequest, who: Principal): void;
}
