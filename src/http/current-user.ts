import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../shared/principal.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the access guard on every route that is not public. */
    principal?: Principal;
  }
}

/** Who asks. Only on routes that are not public. */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext) => principalOf(context));

export function principalOf(context: ExecutionContext): Principal {
  const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
  if (principal === undefined) throw new Error('nobody is known on a public route');
  return principal;
}
