import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../../ports/document-store.js';
import { EventStream } from '../../ports/event-stream.js';
import { JobQueue } from '../../ports/job-queue.js';
import { ObjectStore } from '../../ports/object-store.js';
import { RowEngine } from '../../ports/row-engine.js';

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
