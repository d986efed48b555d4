import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { Instance } from '../../../ports/instance.js';
import { RowEngine } from '../../../ports/row-engine.js';
import type { TableRef } from '../../../ports/table.js';
import { RowReader } from '../../../ports/row-reader.js';
import { AppError } from '../../../shared/app-error.js';
import { DatasourceRepository } from '../datasource.repository.js';
import type { Datasource } from '../datasource.types.js';
import { visibleTable } from '../visible-table.js';
import { KeyedSemaphore } from '../../../shared/keyed-semaphore.js';
import { Reconciler } from '../../../queue/reconciler.js';
import { DatasourceWork } from '../datasource-work.js';

/** How long rows are believed to be on their way in. */
const LEASE_MS = 90_000;
/** What a lease must have left for an insertion to begin: longer than the row engine may take for it. */
const ENOUGH_MS = 60_000;
const MOST_ASSETS = 1000;
/** A tenth more or less than the profile knows of: it is made again. */
const GROWTH = 0.1;
/** Each is lost to another instance that counted meanwhile. */
const MOST_ATTEMPTS = 100;

/**
 * What is told of a datasource's rows, kept in step with the rows themselves. Before rows are stored a mark says that some may come
 * in; it stays until everything is counted, so that rows stored in the moment of a crash are counted by the reconciler.
 */
@Injectable()
export class InsertLedger {
  private readonly counting = new KeyedSemaphore();

  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly rows: RowEngine,
    private readonly reader: RowReader,
    private readonly clock: Clock,
    private readonly instance: Instance,
  ) {}

  /** The rows that can be seen now; null before the first import is done. */
  tableNow(seen: Datasource): TableRef | null {
    return visibleTable(seen, this.clock.now());
  }

  /** Datasources whose rows nobody can be inserting any more, but whose mark is still there. At the start that may be all. */
  abandoned(atStart: boolean): Promise<readonly Datasource[]> {
    const ahead = atStart && this.instance.alone ? LEASE_MS : 0;
    const before = new Date(this.clock.now().getTime() + ahead);
    return this.datasources.anywhere({ insertingUntil: { gt: new Date(0), lte: before }, deletedAt: null });
  }

  /** False when no rows may come in any more: the datasource is gone, or an import has begun. */
  async open(seen: Datasource): Promise<boolean> {
    const now = this.clock.now().getTime();
    if (seen.insertingUntil !== null && seen.insertingUntil.getTime() - now >= ENOUGH_MS) return true;
    return (await this.datasources.changeRows(seen, { set: { insertingUntil: new Date(now + LEASE_MS) } })) !== null;
  }

  /** Counts the rows after new ones were stored; null when they were lost with the generation they were stored in. */
  count(stored: Datasource, newAssets: ReadonlySet<string>): Promise<Datasource | null> {
    return this.counted(stored, async (seen, table) => ({
      docCount: await this.rows.count(table),
      assets: joinAssets(seen.assets, newAssets),
      updatedAt: this.clock.now(),
    }));
  }

  /** Counts anew what can be seen by now, also while rows come in; null when the rows are gone or are being replaced. */
  refresh(seen: Datasource): Promise<Datasource | null> {
    return this.counted(seen, (_, table) => this.visible(table));
  }

  /** Counts what nobody did, and takes the mark away; null when somebody inserts again, or the rows are gone. */
  async recount(seen: Datasource): Promise<Datasource | null> {
    const table = this.tableNow(seen);
    if (table === null) return null;
    return this.store(seen, { ...(await this.visible(table)), insertingUntil: null });
  }

  private async visible(table: TableRef): Promise<Pick<Datasource, 'docCount' | 'assets'>> {
    const { values } = await this.reader.distinctMetadata(table, { search: '', skip: 0, limit: MOST_ASSETS });
    return { docCount: await this.rows.count(table), assets: values };
  }

  /** Null when somebody counted since `seen`, the datasource is gone or an import has begun. While a file is added, rows that came just before it are still counted. */
  private store(seen: Datasource, counted: Counted): Promise<Datasource | null> {
    const { insertions, updating, insertingUntil } = seen;
    const expected = { insertions, updating, ...(counted.insertingUntil === undefined ? {} : { insertingUntil }) };
    return this.datasources.changeRows(seen, { set: counted, increment: { insertions: 1 } }, expected);
  }

  /** One after the other here, by compare-and-set for other instances: a count is never older than the one it replaces. */
  private counted(
    stored: Datasource,
    fieldsFrom: (seen: Datasource, table: TableRef) => Promise<Counted>,
  ): Promise<Datasource | null> {
    return this.counting.run(stored.id, async () => {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        const seen = await this.datasources.find(stored.companyId, stored.id);
        if (seen === null || isBeingReplaced(seen) || seen.generation !== stored.generation) return null;
        const table = this.tableNow(seen);
        if (table === null) return null;
        const counted = await this.store(seen, await fieldsFrom(seen, table));
        if (counted !== null) return counted;
      }
      throw new AppError('unavailable', 'the inserted rows could not be counted yet', { retryAfter: 1 });
    });
  }
}

type Counted = Pick<Datasource, 'docCount' | 'assets'> & Partial<Pick<Datasource, 'updatedAt' | 'insertingUntil'>>;

/** A file that is added keeps the rows that are there. */
function isBeingReplaced({ updating, append }: Datasource): boolean {
  return updating && append === null;
}

/** Sorted as the row store sorts, the first 1,000. */
export function joinAssets(known: readonly string[], more: ReadonlySet<string>): readonly string[] {
  const fresh = [...more].filter((value) => !known.includes(value));
  if (fresh.length === 0) return known;
  const inOrder = [...known, ...fresh].map((value) => [value, Buffer.from(value)] as const);
  return inOrder
    .sort(([, one], [, other]) => Buffer.compare(one, other))
    .slice(0, MOST_ASSETS)
    .map(([value]) => value);
}

/** Whether the profile was made when there were a tenth fewer, or more, rows than now. */
export function isOutgrown({ profile, docCount }: Datasource): boolean {
  if (profile === null) return true;
  return Math.abs(docCount - profile.rowCount) >= Math.max(profile.rowCount * GROWTH, 1);
}

/** Counts the rows that came in while a process died, when nobody can be inserting them any more. */
@Injectable()
export class InsertReconciler extends Reconciler {
  protected override readonly failure = 'inserted rows could not be counted';

  constructor(
    private readonly ledger: InsertLedger,
    private readonly work: DatasourceWork,
  ) {
    super();
  }

  override onApplicationBootstrap(): Promise<void> {
    return this.tried(() => this.reconcile(true));
  }

  override async reconcile(atStart = false): Promise<void> {
    for (const datasource of await this.ledger.abandoned(atStart)) {
      // One whose rows can't be read now must not keep the others waiting.
      await this.tried(() => this.recount(datasource));
    }
  }

  private async recount(datasource: Datasource): Promise<void> {
    const counted = await this.ledger.recount(datasource);
    if (counted !== null && isOutgrown(counted)) await this.work.ask('datasource.profile', counted);
  }
}
