import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { EventStream } from '../../../ports/event-stream.js';
import { Instance } from '../../../ports/instance.js';
import { Log } from '../../../ports/log.js';
import type { LoadReport } from '../../../ports/row-engine.js';
import { messageOf } from '../../../shared/app-error.js';
import type { CompanyId, DatasourceId } from '../../../shared/ids.js';
import { isAbandoned } from '../../../shared/lease.js';
import { DatasourceRepository } from '../datasource.repository.js';
import type { Datasource, ImportState } from '../datasource.types.js';
import { datasourceEvent } from '../datasource-event.js';

const LEASE_MS = 30_000;
const TELL_MS = 1_000;
const RENEW_MS = 5_000;

interface Progress {
  readonly percent: number | null;
  readonly rows: number;
}

/** A lease that is kept as long as the import tells how it goes on. */
export interface KeptLease extends Disposable {
  /** Aborted with the job, or when the lease was lost: the datasource was deleted or another instance took over. */
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
}

/** The state of imports in the document store, and what is told of it. Only who holds the lease changes it. */
@Injectable()
export class ImportLease {
  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly instance: Instance,
    private readonly clock: Clock,
    private readonly events: EventStream,
    private readonly log: Log,
  ) {}

  /** Null when somebody else works on it. */
  async take(seen: Datasource): Promise<Datasource | null> {
    if (!this.isFree(seen)) return null;
    const now = this.clock.now();
    return this.datasources.takeLease(seen, this.instance.id, this.leaseEnd(now), {
      import: {
        ...seen.import,
        status: 'running',
        percent: 0,
        rows: 0,
        startedAt: now,
        finishedAt: null,
        attempts: seen.import.attempts + 1,
      },
    });
  }

  /** Nobody works on it. */
  isAbandoned(datasource: Datasource): boolean {
    return isAbandoned(datasource, this.instance, this.clock.now());
  }

  private isFree(datasource: Datasource): boolean {
    return datasource.leaseOwner === this.instance.id || this.isAbandoned(datasource);
  }

  keep(datasource: Datasource, signal: AbortSignal): KeptLease {
    const lost = new AbortController();
    let latest: Progress = { percent: 0, rows: 0 };
    const tell = setInterval(() => {
      this.tell(datasource, latest);
    }, TELL_MS);
    const renew = setInterval(() => {
      void this.renew(datasource, latest, lost);
    }, RENEW_MS);
    return {
      signal: AbortSignal.any([signal, lost.signal]),
      progress: (progress) => {
        latest = progress;
      },
      [Symbol.dispose]: () => {
        clearInterval(tell);
        clearInterval(renew);
      },
    };
  }

  async finish(datasource: Datasource, report: LoadReport): Promise<Datasource | null> {
    const now = this.clock.now();
    const done = await this.datasources.changeAsOwner(datasource, this.instance.id, {
      generation: datasource.generation + 1,
      docCount: report.rows,
      assets: report.assets,
      profile: report.profile,
      loadedFiles: report.files.map(({ name, ...counts }) => ({ file: name, ...counts })),
      updating: false,
      leaseOwner: null,
      leaseUntil: null,
      updatedAt: now,
      import: { ...datasource.import, ...outcomeOf(report), finishedAt: now },
    });
    if (done !== null) this.events.publish(datasourceEvent(done, 'updated', now));
    return done;
  }

  async fail(companyId: CompanyId, id: DatasourceId, error: string): Promise<Datasource | null> {
    const seen = await this.datasources.find(companyId, id);
    if (seen?.updating !== true || !this.isFree(seen)) return null;
    const now = this.clock.now();
    const failed = await this.datasources.failUnowned(companyId, id, {
      updating: false,
      leaseOwner: null,
      leaseUntil: null,
      updatedAt: now,
      import: { ...seen.import, status: 'failed', error, finishedAt: now },
    });
    if (failed !== null) this.events.publish(datasourceEvent(failed, 'failed', now));
    return failed;
  }

  private tell(datasource: Datasource, { percent, rows }: Progress): void {
    const running = { ...datasource, import: { ...datasource.import, percent, rows } };
    this.events.publish(datasourceEvent(running, 'progress', this.clock.now()));
  }

  private async renew(datasource: Datasource, progress: Progress, lost: AbortController): Promise<void> {
    try {
      const kept = await this.datasources.changeAsOwner(datasource, this.instance.id, {
        leaseUntil: this.leaseEnd(this.clock.now()),
        import: { ...datasource.import, percent: progress.percent, rows: progress.rows },
      });
      if (kept === null) lost.abort(new Error('the import lost its lease'));
    } catch (error) {
      // The store is away for the moment; the lease still has time, and the next turn tries again.
      this.log.warn('an import lease could not be renewed', { datasourceId: datasource.id, reason: messageOf(error) });
    }
  }

  private leaseEnd(now: Date): Date {
    return new Date(now.getTime() + LEASE_MS);
  }
}

function outcomeOf(report: LoadReport): Partial<ImportState> {
  return {
    status: 'ready',
    rows: report.rows,
    rejected: report.rejected,
    rejectedSample: report.rejectedSample,
    percent: 100,
    error: null,
  };
}
