import { Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { BackEnds, HealthFacade } from './health.facade.js';

@Module({ controllers: [HealthController], providers: [BackEnds, HealthFacade], exports: [HealthFacade] })
export class HealthModule {}
