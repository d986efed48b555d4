import { Module } from '@nestjs/common';
import { Answering } from './answering.js';
import { ChartImages } from './chart-images.js';
import { ImageSweeper } from './image-sweeper.js';
import { QuestionTrial } from './question-trial.js';
import { TaskWork } from './tasks/task-work.js';

/** The way from a question to its answer, for every feature that answers. */
@Module({
  providers: [Answering, ChartImages, ImageSweeper, QuestionTrial, TaskWork],
  exports: [Answering, ChartImages, ImageSweeper, QuestionTrial, TaskWork],
})
export class AnsweringModule {}
