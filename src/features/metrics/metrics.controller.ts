import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../http/access.js';
import { MetricsService } from './metrics.service.js';

/** Public as far as users are concerned: who reads metrics has a token of their own. */
@Access('public')
@ApiExcludeController()
@Controller({ path: 'metrics' })
export class MetricsController {
  constructor(private readonly metrics: MetricsService) {}

  /** What the service counts, as Prometheus reads it. */
  @Get()
  async page(
    @Headers('authorization') authorization: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { contentType, text } = await this.metrics.pageOnMainPort(authorization);
    void reply.header('content-type', contentType).header('cache-control', 'no-store');
    return text;
  }
}
