import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AppConfig } from '../../config/app-config.js';
import { invalidToken } from '../../http/access.js';
import { Metrics, type MetricsPage } from '../../ports/metrics.js';
import { AppError } from '../../shared/app-error.js';
import { isSecretOf, secretHash } from '../../shared/secret-hash.js';
import { CompanyFacade } from '../company/company.facade.js';
import { HealthFacade } from '../health/health.facade.js';

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
    if (token !== null && !isSecretOf(secretHash(`Bearer ${token}`), authorization ?? '')) throw invalidToken();
    return this.metrics.page();
  }
}

const COUNTED_FOR_MS = 60_000;

/** What is looked at when somebody reads the metrics: the back-ends, and how many companies there are. */
@Injectable()
export class ServiceGauges implements OnModuleInit {
  /** Counting reads the store, and some read metrics every second. */
  private readonly counts = new LRUCache<'companies', number>({
    max: 1,
    ttl: COUNTED_FOR_MS,
    fetchMethod: () => this.companies.count(),
  });

  constructor(
    private readonly metrics: Metrics,
    private readonly health: HealthFacade,
    private readonly companies: CompanyFacade,
  ) {}

  onModuleInit(): void {
    this.metrics.watch('backend_up', async () => {
      const states = await this.health.check();
      return Object.entries(states).map(([backend, state]) => ({ labels: { backend }, value: state === 'up' ? 1 : 0 }));
    });
    this.metrics.watch('companies', async () => [{ labels: {}, value: await this.counts.forceFetch('companies') }]);
  }
}
