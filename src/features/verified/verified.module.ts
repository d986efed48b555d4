import { Module } from '@nestjs/common';
import { AnsweringModule } from '../../answering/answering.module.js';
import { DatasourceModule } from '../datasource/datasource.module.js';
import { ModelsModule } from '../models/models.module.js';
import { EvaluationController } from './evaluation/evaluation.controller.js';
import { EvaluationReconciler, EvaluationWorker } from './evaluation/evaluation-worker.js';
import { EvaluationScheduleService, EvaluationService } from './evaluation/evaluation.service.js';
import { GoldenAsker, GoldenQuestionReader } from './evaluation/golden-asker.js';
import { VerifiedController } from './verified.controller.js';
import { VerifiedRecordsModule } from './verified-records.module.js';
import { VerifiedFacade } from './verified.facade.js';
import { VerifiedService } from './verified.service.js';

/** Questions whose answers managers have verified: they are answered so, and asked in evaluations (evaluation/). */
@Module({
  imports: [AnsweringModule, DatasourceModule, ModelsModule, VerifiedRecordsModule],
  controllers: [VerifiedController, EvaluationController],
  providers: [
    EvaluationReconciler,
    EvaluationScheduleService,
    EvaluationService,
    EvaluationWorker,
    GoldenAsker,
    GoldenQuestionReader,
    VerifiedFacade,
    VerifiedService,
  ],
  exports: [VerifiedFacade],
})
export class VerifiedModule {}
