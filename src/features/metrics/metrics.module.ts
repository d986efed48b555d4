import { Module } from '@nestjs/common';
import { CompanyModule } from '../company/company.module.js';
import { HealthModule } from '../health/health.module.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsServer } from './metrics.server.js';
import { MetricsService, ServiceGauges } from './metrics.service.js';

@Module({
  imports: [CompanyModule, HealthModule],
  controllers: [MetricsController],
  providers: [MetricsService, MetricsServer, ServiceGauges],
})
export class MetricsModule {}
