import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ImageSweeper } from '../../../answering/image-sweeper.js';
import type { CompanyId } from '../../../shared/ids.js';
import { imagesOf } from './run-steps.js';
import { RunRepository } from './run.repository.js';

/** The images of runs in the history stay. */
@Injectable()
export class RunImages implements OnModuleInit {
  constructor(
    private readonly runs: RunRepository,
    private readonly sweeper: ImageSweeper,
  ) {}

  onModuleInit(): void {
    this.sweeper.alsoShown((companyId) => this.shown(companyId));
  }

  private async *shown(companyId: CompanyId): AsyncGenerator<string> {
    for await (const { steps, answer } of this.runs.allOf(companyId)) yield* imagesOf(steps, answer);
  }
}
