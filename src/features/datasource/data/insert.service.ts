import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { type Appended, RowEngine, type TypedRow } from '../../../ports/row-engine.js';
import { AppError } from '../../../shared/app-error.js';
import type { DatasourceId } from '../../../shared/ids.js';
import { isRecord } from '../../../shared/json.js';
import type { Principal } from '../../../shared/principal.js';
import { comesFromPlace, isUpdating } from '../datasource.errors.js';
import { DatasourceRepository } from '../datasource.repository.js';
import type { Datasource } from '../datasource.types.js';
import { DatasourceWork } from '../datasource-work.js';
import { InsertLedger, isOutgrown } from './insert-ledger.js';
import { KeyedSemaphore } from '../../../shared/keyed-semaphore.js';
import { readyTable } from '../visible-table.js';
import { checkRow, rowRules, type RowRules, type SentRow } from './row-check.js';

const MOST_SKIPPED_SHOWN = 100;
/** Insertions of one company that run at once; the engine has room for others beside them. */
const AT_ONCE = 2;
const MOST_WAITING = 100;
/** Rows that are checked before others have their turn. */
const CHECKED_AT_ONCE = 100;

export interface Insertion {
  readonly datasourceId: DatasourceId;
  readonly rows: readonly SentRow[];
  /** Names these rows, so that sending them again stores nothing; null: they are stored as often as they are sent. */
  readonly key: string | null;
}

export interface SkippedRow {
  /** Its place in what was sent, from 0. */
  readonly row: number;
  readonly reason: string;
}

export interface Inserted {
  readonly inserted: number;
  readonly skipped: number;
  /** The first 100. */
  readonly skippedSample: readonly SkippedRow[];
  /** The rows had been stored before under the same key; this is what was answered then. */
  readonly replayed: boolean;
}

/** Adds rows to a datasource: each that fits, durably, before the answer. */
@Injectable()
export class InsertService {
  private readonly turns = new KeyedSemaphore(AT_ONCE, MOST_WAITING);

  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly rows: RowEngine,
    private readonly ledger: InsertLedger,
    private readonly work: DatasourceWork,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws AppError `conflict` while the datasource is updating, when its import failed, or when the key was used for other rows,
   *   `rate_limited` when too many insertions of the company wait.
   */
  async insert(by: Principal, insertion: Insertion): Promise<Inserted> {
    const { rows, key } = insertion;
    const datasource = await this.datasources.get(by.companyId, insertion.datasourceId);
    if (datasource.place !== null) throw comesFromPlace();
    const now = this.clock.now();
    const { table, profile } = readyTable(datasource, now);
    const checked = await checkAll(rows, rowRules(datasource, profile, { now, visibleFrom: table.visibleFrom }));
    const inserted = {
      inserted: checked.rows.length,
      skipped: rows.length - checked.rows.length,
      skippedSample: checked.skippedSample,
      replayed: false,
    };
    if (checked.rows.length === 0 && key === null) return inserted;
    const batch = key === null ? undefined : { key, note: noteOf(rows, inserted), at: now };
    const append = (): Promise<Appended> => this.rows.append(table, checked.rows, batch);
    const { earlierNote } = await this.turns.run(by.companyId, () =>
      checked.rows.length === 0 ? append() : this.store(datasource, checked, append),
    );
    return earlierNote === null ? inserted : replayOf(earlierNote, key ?? '', rows);
  }

  /** Acknowledged is only what is still there when it is counted: a deletion or an import may have come in between. */
  private async store(seen: Datasource, checked: CheckedRows, append: () => Promise<Appended>): Promise<Appended> {
    if (!(await this.ledger.open(seen))) throw await this.refusal(seen);
    const appended = await append();
    // Rows that were stored before may not have been counted then.
    const counted = await this.ledger.count(seen, checked.assets);
    if (counted === null) throw await this.refusal(seen);
    if (appended.earlierNote !== null) return appended;
    this.work.tell(counted, 'updated', this.clock.now(), `${checked.rows.length} rows inserted`);
    const saysTooLittle = checked.wider || hasNewAssets(seen, counted) || isOutgrown(counted);
    if (saysTooLittle) await this.work.ask('datasource.profile', counted);
    if (appended.wantsCompaction) await this.work.ask('datasource.compact', counted);
    return appended;
  }

  private async refusal({ companyId, id }: Datasource): Promise<Error> {
    if ((await this.datasources.find(companyId, id)) !== null) return isUpdating();
    // The remover may have come before the rows, and nobody would look for them again.
    await this.rows.remove(companyId, id);
    return this.datasources.missing();
  }
}

interface CheckedRows {
  readonly rows: readonly TypedRow[];
  readonly assets: ReadonlySet<string>;
  /** A column of whole numbers is to hold other numbers. */
  readonly wider: boolean;
  readonly skippedSample: readonly SkippedRow[];
}

/** Whoever asks about a new device must be understood. */
function hasNewAssets(before: Datasource, after: Datasource): boolean {
  return before.assets.length !== after.assets.length || before.assets.at(-1) !== after.assets.at(-1);
}

async function checkAll(sent: readonly SentRow[], rules: RowRules): Promise<CheckedRows> {
  const rows: TypedRow[] = [];
  const assets = new Set<string>();
  const skippedSample: SkippedRow[] = [];
  let wider = false;
  for (const [row, fields] of sent.entries()) {
    if (row % CHECKED_AT_ONCE === CHECKED_AT_ONCE - 1) await new Promise(setImmediate);
    const checked = checkRow(fields, rules);
    if (checked.fits) {
      rows.push(checked.row);
      assets.add(checked.meta);
      wider ||= checked.wider;
    } else if (skippedSample.length < MOST_SKIPPED_SHOWN) skippedSample.push({ row, reason: checked.reason });
  }
  return { rows, assets, wider, skippedSample };
}

/** What is kept with the rows of a call that has a key: whether the same rows are sent again, and what the first answer was. */
interface BatchNote {
  readonly rows: string;
  readonly answer: Inserted;
}

function noteOf(sent: readonly SentRow[], answer: Inserted): string {
  return JSON.stringify({ rows: fingerprint(sent), answer } satisfies BatchNote);
}

/** The first answer to rows that are sent again. @throws AppError `conflict` when the key belongs to other rows. */
function replayOf(note: string, key: string, sent: readonly SentRow[]): Inserted {
  const { rows, answer } = JSON.parse(note) as BatchNote;
  if (rows === fingerprint(sent)) return { ...answer, replayed: true };
  throw new AppError(
    'conflict',
    `the idempotency key "${key}" was used for other rows less than 24 hours ago: send the same rows, or another key`,
  );
}

/** The same for the same rows in the same order, whatever the order of a row's fields. */
function fingerprint(sent: readonly SentRow[]): string {
  return createHash('sha256').update(JSON.stringify(sent, inOrder)).digest('base64url');
}

function inOrder(_name: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
