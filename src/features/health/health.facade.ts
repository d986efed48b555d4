import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../../ports/document-store.js';
import { EventStream } from '../../ports/event-stream.js';
import { JobQueue } from '../../ports/job-queue.js';
import { Log } from '../../ports/log.js';
import { ObjectStore } from '../../ports/object-store.js';
import { RowEngine } from '../../ports/row-engine.js';
import { messageOf } from '../../shared/app-error.js';
import { within } from '../../shared/within.js';

const PATIENCE_MS = 2_500;

export type BackendState = 'up' | 'down';

/** Everything that the service stands on. */
@Injectable()
export class BackEnds {
  constructor(
    private readonly documents: DocumentStore,
    private readonly jobs: JobQueue,
    private readonly events: EventStream,
    private readonly rows: RowEngine,
    private readonly objects: ObjectStore,
  ) {}

  /** Asks each once; a promise fails when its back-end does not answer. */
  checks(): Readonly<Record<string, Promise<unknown>>> {
    return {
      documents: this.documents.check(),
      jobs: this.jobs.check(),
      events: this.events.check(),
      rows: this.rows.check(),
      objects: this.objects.check(),
    };
  }
}

/** Asks every back-end whether it is there, and logs when one goes or comes back. */
@Injectable()
export class HealthFacade {
  private readonly known = new Map<string, BackendState>();

  constructor(
    private readonly backEnds: BackEnds,
    private readonly log: Log,
  ) {}

  async check(): Promise<Readonly<Record<string, BackendState>>> {
    const states = Object.entries(this.backEnds.checks()).map(
      async ([name, check]) => [name, await this.stateOf(name, check)] as const,
    );
    return Object.fromEntries(await Promise.all(states));
  }

  private async stateOf(name: string, check: Promise<unknown>): Promise<BackendState> {
    // A back-end that hangs is down: a probe must not hang with it.
    const answer = check.then(() => null, reasonOf);
    const reason = await within(answer, PATIENCE_MS, () => `no answer within ${PATIENCE_MS} ms`);
    const state = reason === null ? 'up' : 'down';
    if (state !== (this.known.get(name) ?? 'up')) {
      if (reason === null) this.log.info('a back-end is there again', { backend: name });
      else this.log.warn('a back-end does not answer', { backend: name, reason });
    }
    this.known.set(name, state);
    return state;
  }
}

/** With the kind of its cause, whose own words may hold an address. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? `${messageOf(error)} (${cause.name})` : messageOf(error);
}
