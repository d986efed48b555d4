import {
  type ArgumentMetadata,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type PipeTransform,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../shared/principal.js';
import { invalidField } from '../shared/app-error.js';
import { asId, type Id, isId } from '../shared/ids.js';
import { ApiQuery } from '@nestjs/swagger';
import { isRecord } from '../shared/json.js';
import { type Page, pageFrom } from '../shared/page.js';
import type { ServerResponse } from 'node:http';

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

/** Lets an identifier of 24 hexadecimal digits through, in lower case. */
@Injectable()
export class IdPipe implements PipeTransform<unknown, Id<string>> {
  transform(value: unknown, metadata: ArgumentMetadata): Id<string> {
    const name = metadata.data ?? 'id';
    const text = typeof value === 'string' ? value.toLowerCase() : '';
    if (isId(text)) return asId(text);
    const problem = value === undefined || value === '' ? `${name} is required` : `${name} must be a valid identifier`;
    throw invalidField(name, problem);
  }
}

/** An identifier that may be left out; one that is given must be valid. */
@Injectable()
export class OptionalIdPipe implements PipeTransform<unknown, Id<string> | null> {
  private readonly required = new IdPipe();

  transform(value: unknown, metadata: ArgumentMetadata): Id<string> | null {
    return value === undefined || value === '' ? null : this.required.transform(value, metadata);
  }
}

/** The page that the query asks for with `page` and `page_size`; what can't be read is the first. The API document names both. */
export const RequestedPage = createParamDecorator(
  (_: unknown, context: ExecutionContext): Page => {
    const { query } = context.switchToHttp().getRequest<FastifyRequest>();
    return isRecord(query) ? pageFrom(query['page'], query['page_size']) : pageFrom(null, null);
  },
  [
    (target, key = '') => {
      const method = Object.getOwnPropertyDescriptor(target, key) ?? {};
      for (const name of ['page', 'page_size']) ApiQuery({ name, required: false, type: Number })(target, key, method);
    },
  ],
);

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
