import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../../ports/document-store.js';
import { EventStream } from '../../ports/event-stream.js';
import { JobQueue } from '../../ports/job-queue.js';
import { ObjectStore } from '../../ports/object-store.js';
import { RowEngine } from '../../ports/row-engine.js';

const PATIENCE_MS = 2_500;

export type BackendState = 'up' | 'down';

/** Asks every back-end whether it is there. */
@Injectable()
export class HealthService {
  constructor(
    private readonly documents: DocumentStore,
    private readonly jobs: JobQueue,
    private readonly events: EventStream,
    private readonly rows: RowEngine,
    private readonly objects: ObjectStore,
  ) {}

  async check(): Promise<Readonly<Record<string, BackendState>>> {
    const checks = {
      documents: this.documents.check(),
      jobs: this.jobs.check(),
      events: this.events.check(),
      rows: this.rows.check(),
      objects: this.objects.check(),
    };
    const states = Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check)] as const);
    return Object.fromEntries(await Promise.all(states));
  }
}

/** A back-end that hangs is down: a probe must not hang with it. */
async function stateOf(check: Promise<unknown>): Promise<BackendState> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<BackendState>((resolve) => {
    timer = setTimeout(() => {
      resolve('down');
    }, PATIENCE_MS);
  });
  const answer = check.then(
    (): BackendState => 'up',
    (): BackendState => 'down',
  );
  return Promise.race([answer, late]).finally(() => {
    clearTimeout(timer);
  });
}
