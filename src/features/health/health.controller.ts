import { Controller, Get, Res } from '@nestjs/common';
import { ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../http/access.js';
import { Envelope, ok } from '../../http/envelope.wire.js';
import { HealthFacade } from './health.facade.js';
import { ReadyResponse } from './health.wire.js';

@ApiTags('Service')
@Access('public')
@Controller({ path: 'health' })
export class HealthController {
  constructor(private readonly health: HealthFacade) {}

  /** Says that the process answers. It asks no back-end; `health/ready` does. */
  @Get('live')
  live(): Envelope {
    return ok('service alive');
  }

  /** Asks every back-end and gives the state of each. The status is 503 when one does not answer. */
  @Get('ready')
  @ApiServiceUnavailableResponse({ description: 'A back-end does not answer.', type: ReadyResponse })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadyResponse> {
    const backends = await this.health.check();
    if (Object.values(backends).every((state) => state === 'up')) return ok('service ready', { backends });
    void reply.status(503).header('retry-after', '5');
    return { error: true, message: 'service unavailable', backends };
  }
}
