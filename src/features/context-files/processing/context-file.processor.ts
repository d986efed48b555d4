import { Injectable } from '@nestjs/common';
import type { JobPayloads } from '../../../ports/jobs.js';
import { JobProcessor } from '../../../queue/job-processor.js';
import { ContextFileRun } from './context-file-run.js';

type Processing = JobPayloads['context-file.process'];

@Injectable()
export class ContextFileProcessor extends JobProcessor<'context-file.process'> {
  override readonly job = 'context-file.process';

  constructor(private readonly files: ContextFileRun) {
    super();
  }

  override run(payload: Processing, signal: AbortSignal): Promise<void> {
    return this.files.run(payload, signal);
  }

  override giveUp(payload: Processing, error: Error): Promise<void> {
    return this.files.giveUp(payload, error);
  }
}
