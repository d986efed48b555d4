import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { Metrics, type MetricsPage } from '../../ports/metrics.js';
import { AppError } from '../../shared/app-error.js';

/** Shows the metrics to those who may see them. */
@Injectable()
export class MetricsService {
  constructor(
    private readonly metrics: Metrics,
    private readonly config: AppConfig,
  ) {}

  /**
   * For the port that users reach too, which needs a token.
   *
   * @throws AppError `not_found` when metrics are not shown there, `unauthorized`
   */
  async pageOnMainPort(authorization: string | undefined): Promise<MetricsPage> {
    const { metrics } = this.config;
    if (metrics?.port !== null) throw new AppError('not_found', 'not found');
    return this.page(authorization);
  }

  /** With the token, where there is one. @throws AppError `unauthorized` */
  async page(authorization: string | undefined): Promise<MetricsPage> {
    const token = this.config.metrics?.token ?? null;
    if (token !== null && !isSame(authorization ?? '', `Bearer ${token}`)) {
      throw new AppError('unauthorized', 'unauthorized - invalid token');
    }
    return this.metrics.page();
  }
}

/** Takes as long for a wrong text as for the right one. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
