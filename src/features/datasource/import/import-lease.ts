import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { EventStream } from '../../../ports/event-stream.js';
import type { LoadReport } from '../../../ports/row-engine.js';
import { LeaseKeeper, NO_LEASE, type KeptLease, type Lease } from '../../../queue/lease-keeper.js';
import type { CompanyId, DatasourceId } from '../../../shared/ids.js';
import { DatasourceRepository } from '../datasource.repository.js';
import type { Datasource, ImportState } from '../datasource.types.js';
import { datasourceEvent } from '../datasource-event.js';

const TELL_MS = 1_000;

interface Progress {
  readonly percent: number | null;
  readonly rows: number;
}

/** A lease that is kept as long as the import tells how it goes on. */
export interface KeptImport extends KeptLease {
  readonly progress: (progress: Progress) => void;
}

/** The state of imports in the document store, and what is told of it. Only who holds the lease changes it. */
@Injectable()
export class ImportLease {
  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly leases: LeaseKeeper,
    private readonly clock: Clock,
    private readonly events: EventStream,
  ) {}

  /** Null when somebody else works on it. */
  async take(seen: Datasource): Promise<Datasource | null> {
    if (!this.leases.mayTake(seen)) return null;
    const now = this.clock.now();
    return this.datasources.takeLease(seen, {
      ...this.leases.lease(),
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

  keep(datasource: Datasource, signal: AbortSignal): KeptImport {
    let latest: Progress = { percent: 0, rows: 0 };
    const tell = setInterval(() => {
      this.tell(datasource, latest);
    }, TELL_MS);
    const renew = (lease: Lease): Promise<boolean> => this.renew(datasource, lease, latest);
    const kept = this.leases.keep({ context: { datasourceId: datasource.id }, renew }, signal);
    return {
      signal: kept.signal,
      progress: (progress) => {
        latest = progress;
      },
      [Symbol.dispose]: () => {
        clearInterval(tell);
        kept[Symbol.dispose]();
      },
    };
  }

  async finish(datasource: Datasource, report: LoadReport): Promise<Datasource | null> {
    const now = this.clock.now();
    const done = await this.datasources.changeAsOwner(datasource, this.leases.owner, {
      generation: datasource.generation + 1,
      docCount: report.rows,
      assets: report.assets,
      profile: report.profile,
      loadedFiles: report.files.map(({ name, ...counts }) => ({ file: name, ...counts })),
      updating: false,
      ...NO_LEASE,
      updatedAt: now,
      import: { ...datasource.import, ...outcomeOf(report), finishedAt: now },
    });
    if (done !== null) this.events.publish(datasourceEvent(done, 'updated', now));
    return done;
  }

  async fail(companyId: CompanyId, id: DatasourceId, error: string): Promise<Datasource | null> {
    const seen = await this.datasources.find(companyId, id);
    if (seen?.updating !== true || !this.leases.mayTake(seen)) return null;
    const now = this.clock.now();
    const failed = await this.datasources.failUnowned(companyId, id, {
      updating: false,
      ...NO_LEASE,
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

  private async renew(datasource: Datasource, lease: Lease, { percent, rows }: Progress): Promise<boolean> {
    const change = { ...lease, import: { ...datasource.import, percent, rows } };
    return (await this.datasources.changeAsOwner(datasource, lease.leaseOwner, change)) !== null;
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
