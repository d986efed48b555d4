import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { isRecord } from '../shared/json.js';
import { pageFrom, type Page } from '../shared/page.js';

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
