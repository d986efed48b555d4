import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { EvaluationFacade } from './evaluation/evaluation.facade.js';
import { EvaluationRepository } from './evaluation/evaluation.repository.js';
import { GoldenQuestionRepository } from './golden-question.repository.js';

/** Verified questions and evaluations as records, without routes and background work: all that administration needs. */
@Module({
  imports: [UsersModule],
  providers: [EvaluationFacade, EvaluationRepository, GoldenQuestionRepository],
  exports: [EvaluationFacade, EvaluationRepository, GoldenQuestionRepository],
})
export class VerifiedRecordsModule {}
