import { Module } from '@nestjs/common';
import { AnsweringModule } from '../../answering/answering.module.js';
import { DatasourceModule } from '../datasource/datasource.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { AlertCheck, AlertMessages, AlertTeller } from './alert-check.js';
import { AlertFigures } from './alert-figure.js';
import { AlertProcessor, AlertReconciler } from './alert-watch.js';
import { AlertController } from './alert.controller.js';
import { AlertEventRepository, AlertRepository } from './alert.repository.js';
import { AlertReader, AlertRemover, AlertService } from './alert.service.js';

/** Figures that are watched: checked in the background, and told once when their condition becomes true. */
@Module({
  imports: [AnsweringModule, DatasourceModule, DeliveriesModule, SettingsModule],
  controllers: [AlertController],
  providers: [
    AlertCheck,
    AlertEventRepository,
    AlertFigures,
    AlertMessages,
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
