import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { failed } from './envelope.wire.js';
import { failureOf } from './failure.js';
import { RateLimitError, rateHeaders } from './rate-limiter.js';

/** The only place that turns errors into answers. What was not foreseen is logged whole, under the request's id. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') return;
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const failure = failureOf(error);
    // What was ended because its caller left is no failure of the service.
    const isLeft = reply.raw.closed && !reply.raw.writableFinished;
    if (failure.status >= 500) request.log[isLeft ? 'info' : 'error']({ err: error }, failure.message);
    // The client is gone, or has begun to receive a stream: there is nobody to tell.
    if (reply.sent || reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    if (failure.retryAfter !== null) void reply.header('retry-after', String(Math.ceil(failure.retryAfter)));
    if (error instanceof RateLimitError) void reply.headers(rateHeaders(error.state));
    void reply
      .status(failure.status)
      .header('content-type', 'application/json; charset=utf-8')
      .send(failed(failure.message, failure.details));
  }
}
