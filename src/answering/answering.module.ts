import { Module } from '@nestjs/common';
import { Answering } from './answering.js';
import { ChartImages } from './chart-images.js';

/** The way from a question to its answer, for every feature that answers. */
@Module({ providers: [Answering, ChartImages], exports: [Answering] })
export class AnsweringModule {}
