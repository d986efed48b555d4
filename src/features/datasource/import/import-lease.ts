import { withRoles } from '../../../plan/column-roles.js';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import type { LoadReport } from '../../../ports/row-engine.js';
import { LeaseKeeper, NO_LEASE, type KeptLease, type Lease } from '../../../queue/lease-keeper.js';
import { Reconciler } from '../../../queue/reconciler.js';
import type { CompanyId, DatasourceId } from '../../../shared/ids.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { PENDING, type Reading } from '../datasource.service.js';
import { UPDATING, type Datasource, type ImportState, type KnownVersion } from '../datasource.types.js';
import { DatasourceWork } from '../datasource-work.js';
import { fetchDone, workEnded } from '../places/fetch-history.js';

const TELL_MS = 1_000;
/** Earlier rows are read on for so long: longer than a question or a run takes. */
const READ_ON_MS = 15 * 60_000;

type Progress = Pick<ImportState, 'percent' | 'rows' | 'bytes'>;

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
    private readonly work: DatasourceWork,
  ) {}

  /** Null when somebody else works on it. */
  async take(seen: Datasource): Promise<Datasource | null> {
    if (!this.leases.mayTake(seen)) return null;
    const { leaseOwner, leaseUntil } = seen;
    const begun = { status: 'running', percent: 0, rows: 0, startedAt: this.clock.now(), finishedAt: null } as const;
    const state = { ...seen.import, ...begun, attempts: seen.import.attempts + 1 };
    const lease = this.leases.lease();
    return this.datasources.swap(seen, { ...UPDATING, leaseOwner, leaseUntil }, { ...lease, import: state });
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
    const done = await this.changed(datasource, {
      generation: datasource.generation + 1,
      docCount: report.rows,
      assets: report.assets,
      profile: withRoles(report.profile, datasource.profile, datasource.config.changes),
      ...filesOf(datasource, report),
      append: null,
      updating: false,
      ...NO_LEASE,
      updatedAt: now,
      import: { ...datasource.import, ...outcomeOf(datasource, report), finishedAt: now },
      oldRowsUntil: datasource.generation === 0 ? null : new Date(now.getTime() + READ_ON_MS),
      ...fetchDone(datasource, report, now),
    });
    if (done !== null) this.work.tell(done, 'updated', now);
    return done;
  }

  /** Names the file that was fetched, which waits for its import; null when the lease is lost. */
  async fetched({ companyId, id }: Datasource, reading: Reading, version: KnownVersion): Promise<Datasource | null> {
    for (;;) {
      const now = await this.datasources.find(companyId, id);
      if (now?.leaseOwner !== this.leases.owner || now.refetch === null) return null;
      const { leaseOwner, updatedAt, refetch } = now;
      const stored = await this.datasources.swap(
        now,
        { updatedAt, leaseOwner, deletedAt: null },
        {
          ...reading,
          // Its context may have been edited meanwhile.
          config: { ...reading.config, context: now.config.context },
          refetch: { ...refetch, isPending: false, version },
          import: PENDING,
          ...NO_LEASE,
        },
      );
      // Null: somebody else has changed it at this moment.
      if (stored !== null) return stored;
    }
  }

  askForImport(fetched: Datasource): Promise<void> {
    return this.work.ask('datasource.import', fetched);
  }

  /** Ends a fetch that found the same file: the rows stay, and nobody has to read them anew. */
  async unchanged(datasource: Datasource): Promise<void> {
    const now = this.clock.now();
    const ended = await this.changed(datasource, {
      import: datasource.refetch?.before.import ?? datasource.import,
      ...workEnded(datasource, { status: 'unchanged', error: null, finishedAt: now }),
    });
    if (ended !== null) this.work.tell(ended, 'updated', now);
  }

  /** Null: there is nothing to be ended, or somebody else works on it. */
  async abandoned(companyId: CompanyId, id: DatasourceId): Promise<Datasource | null> {
    const seen = await this.datasources.find(companyId, id);
    return seen?.updating === true && this.leases.mayTake(seen) ? seen : null;
  }

  async fail(seen: Datasource, error: string): Promise<Datasource | null> {
    const now = this.clock.now();
    const failed = await this.datasources.swap(seen, UPDATING, {
      import: seen.refetch?.before.import ?? { ...seen.import, status: 'failed', error, finishedAt: now },
      ...workEnded(seen, { status: 'failed', error, finishedAt: now }),
    });
    if (failed !== null) this.work.tell({ ...failed, import: { ...failed.import, error } }, 'failed', now);
    return failed;
  }

  private tell(datasource: Datasource, progress: Progress): void {
    const running = { ...datasource, import: { ...datasource.import, ...progress } };
    this.work.tell(running, 'progress', this.clock.now());
  }

  private async renew(datasource: Datasource, lease: Lease, progress: Progress): Promise<boolean> {
    return (await this.changed(datasource, { ...lease, import: { ...datasource.import, ...progress } })) !== null;
  }

  /** Null when the lease is lost or the datasource is being deleted. */
  private changed(datasource: Datasource, set: Partial<Datasource>): Promise<Datasource | null> {
    return this.datasources.swap(datasource, { leaseOwner: this.leases.owner, deletedAt: null }, set);
  }
}

function filesOf(datasource: Datasource, report: LoadReport): Pick<Datasource, 'loadedFiles' | 'fileBytes'> {
  const { append, loadedFiles, fileBytes } = datasource;
  const loaded = report.files.map(({ name, ...counts }) => ({ file: name, ...counts }));
  if (append === null) return { loadedFiles: loaded, fileBytes };
  const { filename } = append;
  return {
    loadedFiles: [...loadedFiles, ...loaded.map((file) => ({ filename, ...file }))],
    fileBytes: fileBytes + append.fileBytes,
  };
}

function outcomeOf({ append }: Datasource, report: LoadReport): Partial<ImportState> {
  return {
    status: 'ready',
    rows: report.files.reduce((sum, { rows }) => sum + rows, 0),
    added: append === null ? null : report.added,
    replaced: append === null ? null : report.replaced,
    rejected: report.rejected,
    rejectedSample: report.rejectedSample,
    percent: 100,
    error: null,
  };
}

/** Puts back to work what nobody works on: fetches and imports that a queue or a process lost. */
@Injectable()
export class ImportReconciler extends Reconciler {
  protected override readonly failure = 'interrupted imports could not be looked up';

  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly leases: LeaseKeeper,
    private readonly work: DatasourceWork,
  ) {
    super();
  }

  override async reconcile(): Promise<void> {
    for (const datasource of await this.datasources.anywhere(UPDATING)) {
      if (!this.leases.isAbandoned(datasource)) continue;
      const isFetched = datasource.refetch?.isPending === true;
      await this.work.ask(isFetched ? 'datasource.fetch' : 'datasource.import', datasource);
    }
  }
}
