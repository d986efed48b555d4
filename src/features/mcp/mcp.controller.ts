import { Readable } from 'node:stream';
import { Body, Controller, Delete, Get, MethodNotAllowedException, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access, KeyScope } from '../../http/access.js';
import { ClientGone, CurrentUser } from '../../http/parameters.js';
import { AppError } from '../../shared/app-error.js';
import type { Principal } from '../../shared/principal.js';
import { McpDoors } from './mcp-doors.js';

/** The Model Context Protocol over streamable HTTP, without sessions: each message is a request of its own. */
@ApiExcludeController()
@KeyScope('read', 'ask')
@Controller('mcp')
export class McpController {
  constructor(private readonly doors: McpDoors) {}

  /**
   * One message; its answer comes as JSON or as a stream of events. With a server of its own for each message, which knows who asks. Work
   * ends when the asker is gone.
   */
  @Post()
  @Access('user')
  async take(
    @CurrentUser() user: Principal,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @ClientGone() gone: AbortSignal,
  ): Promise<void> {
    // Each is to be counted as a request.
    if (Array.isArray(body)) throw new AppError('invalid_input', 'send one message at a time, not a batch');
    // Loaded when it is first needed: it would cost every start time and memory.
    const { answered } = await import('./mcp-server.js');
    const answer = await answered({ by: user, doors: this.doors, gone }, { headers: headersOf(request), body });
    await reply
      .code(answer.status)
      .headers(Object.fromEntries(answer.headers))
      .send(answer.body === null ? undefined : Readable.fromWeb(answer.body));
  }

  /** Nothing is told unasked. */
  @Get()
  @Access('public')
  listen(@Res({ passthrough: true }) reply: FastifyReply): never {
    return notAllowed(reply);
  }

  /** There is no session to end. */
  @Delete()
  @Access('public')
  end(@Res({ passthrough: true }) reply: FastifyReply): never {
    return notAllowed(reply);
  }
}

function notAllowed(reply: FastifyReply): never {
  void reply.header('allow', 'POST');
  throw new MethodNotAllowedException();
}

function headersOf({ headers }: FastifyRequest): Headers {
  return new Headers(
    Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one])),
  );
}
