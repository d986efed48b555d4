import { Module } from '@nestjs/common';
import { BackEnds } from './back-ends.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

@Module({ controllers: [HealthController], providers: [BackEnds, HealthService], exports: [HealthService] })
export class HealthModule {}
