import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Access } from '../../http/access.js';
import { ok } from '../../http/envelope.js';
import { Envelope } from '../../http/envelope.wire.js';
import { HealthService } from './health.service.js';
import { ReadyResponse } from './health.wire.js';

@Access('public')
@Controller({ path: 'health' })
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** The process answers. */
  @Get('live')
  live(): Envelope {
    return ok('service alive');
  }

  /** Every back-end answers, each with its state; 503 when one does not. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadyResponse> {
    const backends = await this.health.check();
    if (Object.values(backends).every((state) => state === 'up')) return ok('service ready', { backends });
    void reply.status(503).header('retry-after', '5');
    return { error: true, message: 'service unavailable', backends };
  }
}
