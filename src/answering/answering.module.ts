import { Module } from '@nestjs/common';
import { Answering } from './answering.js';
import { AnswerMails } from './answer-mail.js';
import { ChartImages } from './chart-images.js';
import { ImageSweeper } from './image-sweeper.js';
import { Notebooks } from './notebook.js';
import { QuestionTrial } from './question-trial.js';
import { TaskWork } from './tasks/task-work.js';

/** The way from a question to its answer, for every feature that answers. */
@Module({
  providers: [Answering, AnswerMails, ChartImages, ImageSweeper, Notebooks, QuestionTrial, TaskWork],
  exports: [Answering, AnswerMails, ChartImages, ImageSweeper, Notebooks, QuestionTrial, TaskWork],
})
export class AnsweringModule {}
