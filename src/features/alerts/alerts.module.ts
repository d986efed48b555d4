import { Module } from '@nestjs/common';
import { DatasourceModule } from '../datasource/datasource.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { AlertCheck, AlertProcessor, AlertReconciler, AlertTeller } from './alert-check.js';
import { AlertFigures } from './alert-figure.js';
import { AlertController } from './alert.controller.js';
import { AlertEventRepository, AlertRepository } from './alert.repository.js';
import { AlertReader, AlertRemover, AlertService } from './alert.service.js';

/** Figures that are watched: checked in the background, and told once when their condition becomes true. */
@Module({
  imports: [DatasourceModule, DeliveriesModule, SettingsModule],
  controllers: [AlertController],
  providers: [
    AlertCheck,
    AlertEventRepository,
    AlertFigures,
    AlertProcessor,
    AlertReader,
    AlertReconciler,
    AlertRemover,
    AlertRepository,
    AlertService,
    AlertTeller,
  ],
})
export class AlertsModule {}
