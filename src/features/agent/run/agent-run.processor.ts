import { Injectable } from '@nestjs/common';
import type { JobPayloads } from '../../../ports/jobs.js';
import { JobProcessor } from '../../../queue/job-processor.js';
import { RunWorker } from './run-worker.js';

type Run = JobPayloads['agent.run'];

@Injectable()
export class AgentRunProcessor extends JobProcessor<'agent.run'> {
  override readonly job = 'agent.run';

  constructor(private readonly worker: RunWorker) {
    super();
  }

  override run(payload: Run, signal: AbortSignal): Promise<void> {
    return this.worker.run(payload, signal);
  }

  /** Called once, when nothing will retry, so that no task stays `running` for ever. */
  override giveUp(payload: Run, error: Error): Promise<void> {
    return this.worker.giveUp(payload, error);
  }
}
