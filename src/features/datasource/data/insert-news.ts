import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { EventStream } from '../../../ports/event-stream.js';
import { JobQueue } from '../../../ports/job-queue.js';
import { datasourceEvent } from '../datasource-event.js';
import type { Datasource } from '../datasource.types.js';

/** A tenth more or less than the profile knows of: it is made again. */
const GROWTH = 0.1;

/** What came in. */
interface NewRows {
  readonly rows: readonly unknown[];
  /** A column of whole numbers holds other numbers now. */
  readonly wider: boolean;
  readonly wantsCompaction: boolean;
}

/** Who must hear of new rows: sockets at once, the profile when it says too little of the table as it is now, and who merges them when they are many. */
@Injectable()
export class InsertNews {
  constructor(
    private readonly events: EventStream,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  async tell(before: Datasource, after: Datasource, { rows, wider, wantsCompaction }: NewRows): Promise<void> {
    const event = datasourceEvent(after, 'updated', this.clock.now());
    this.events.publish({ ...event, message: `${rows.length} rows inserted` });
    if (wider || hasNewAssets(before, after) || isOutgrown(after)) await this.askForProfile(after);
    if (wantsCompaction) await this.askForCompaction(after);
  }

  askForProfile({ companyId, id }: Datasource): Promise<void> {
    return this.jobs.enqueue('datasource.profile', id, { companyId, datasourceId: id });
  }

  askForCompaction({ companyId, id }: Datasource): Promise<void> {
    return this.jobs.enqueue('datasource.compact', id, { companyId, datasourceId: id });
  }
}

/** Whoever asks about a new device must be understood. */
function hasNewAssets(before: Datasource, after: Datasource): boolean {
  return before.assets.length !== after.assets.length || before.assets.at(-1) !== after.assets.at(-1);
}

/** Whether the profile was made when there were a tenth fewer, or more, rows than now. */
export function isOutgrown({ profile, docCount }: Datasource): boolean {
  if (profile === null) return true;
  return Math.abs(docCount - profile.rowCount) >= Math.max(profile.rowCount * GROWTH, 1);
}
