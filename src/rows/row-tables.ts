import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { TableColumn } from '../plan/plan-columns.js';
import type { Clock } from '../ports/clock.js';
import type { DocumentStore, TenantCollection } from '../ports/document-store.js';
import type { Batch } from '../ports/row-engine.js';
import type { TableRef } from '../ports/table.js';
import { AppError, isAppError } from '../shared/app-error.js';
import { asId, type CompanyId, type DatasourceId } from '../shared/ids.js';
import { KeyedSemaphore } from '../shared/keyed-semaphore.js';
import { type BatchRows, packedRows } from './batch-rows.js';
import type { WireBatch } from './engine/engine-protocol.js';
import { damagedRows } from './process-error.js';
import type { IsNamed, RowObjects } from './row-objects.js';
import { ROW_BATCHES, ROW_TABLES, type RowBatch, type RowTable } from './row-table.schema.js';
import { widened } from './table-shape.js';
import { DAY_MS, HOUR_MS } from '../shared/durations.js';

/** A key is known for a day; its batch stays somewhat longer. */
const KEPT_MS = DAY_MS + HOUR_MS;
const MOST_KNOWN = 500;
/** Batches that are read at once. */
const PAGE = 100;
/** Whoever makes files of batches has been away for long: more would not fit into memory. */
const MOST_BATCHES = 50_000;
const MOST_LATER_LETTERS = 200_000_000;
/** Each is lost to another instance that stored rows meanwhile. */
const MOST_ATTEMPTS = 200;
/** The files of a table are seldom changed twice while it is looked up. */
const MOST_CHANGES = 20;
/** How often batches are read again between which one is missing. */
const MOST_GAPS = 3;
/** A document may have 16 MB. */
const MOST_LETTERS = 12_000_000;
const AT_ONCE = 20;

type TableName = Pick<TableRef, 'companyId' | 'datasourceId' | 'generation'>;
type TableChange = Partial<Pick<RowTable, 'columns' | 'base' | 'part' | 'through'>>;

interface NextBatch {
  readonly number: number;
  readonly rows: BatchRows;
  readonly batch?: Batch | undefined;
  readonly seals?: boolean;
}

const NO_ROWS: BatchRows = { texts: [], wider: new Set() };

/** What was stored, or was there. */
interface StoredBatch {
  readonly now: TableNow;
  readonly earlierNote: string | null;
}

/** What the document store knows of tables: which files hold them, and the rows that came later, batch by batch. */
export class RowTables {
  private readonly tables: TenantCollection<RowTable>;
  private readonly batches: TenantCollection<RowBatch>;
  private readonly appending = new KeyedSemaphore();
  private readonly known = new LRUCache<string, TableNow>({ max: MOST_KNOWN });

  constructor(
    store: DocumentStore,
    private readonly clock: Clock,
  ) {
    this.tables = store.tenantCollection(ROW_TABLES);
    this.batches = store.tenantCollection(ROW_BATCHES);
  }

  /** Later rows that are not in files yet, of the tables that were asked for here. */
  waiting(): { readonly batches: number; readonly oldest: Date | null } {
    const all = [...this.known.values()];
    const times = all.map(({ oldest }) => oldest).filter((time) => time !== null);
    const oldest = times.length === 0 ? null : new Date(Math.min(...times.map((time) => time.getTime())));
    return { batches: all.reduce((sum, { batches }) => sum + batches, 0), oldest };
  }

  /**
   * The table as it is at this moment, with every batch that was acknowledged before.
   *
   * @throws AppError `not_found` when there is none; `unavailable` when a batch is lost.
   */
  async now(ref: TableName): Promise<TableNow> {
    for (let changes = 0, gaps = 0; changes < MOST_CHANGES;) {
      const now = this.known.get(idOf(ref)) ?? new TableNow(await this.table(ref));
      const [batches, table] = await Promise.all([this.batchesAbove(now.table, now.upTo), this.table(ref)]);
      // The files may have been changed between the two: then the batches that they hold are empty.
      const isSame = now.isOf(table) && batches.every(({ data }) => data !== null);
      this.known.set(idOf(ref), isSame ? now : new TableNow(table));
      if (!isSame) {
        changes += 1;
        continue;
      }
      const isWhole = batches.every((batch) => now.add(batch));
      if (isWhole && batches.length < PAGE) return now;
      // One that was stored while they were read may be missing among them, but not again.
      gaps += isWhole ? 0 : 1;
      if (gaps === MOST_GAPS) throw damagedRows(new Error(`batch ${now.upTo + 1} of ${now.table.load} is not there`));
    }
    throw new AppError('unavailable', 'the rows change too quickly', { retryAfter: 1 });
  }

  /** Whether the files are others by now, or gone. */
  async isReplaced(ref: TableName, now: TableNow): Promise<boolean> {
    const found = await this.tables.of(ref.companyId).get(idOf(ref));
    return found === null || !now.isOf(found);
  }

  /** The next stored batches above a number, a page of them at most. */
  batchesAbove({ companyId, load }: Pick<RowTable, 'companyId' | 'load'>, above: number): Promise<readonly RowBatch[]> {
    const where = { load, number: { gt: above } };
    return this.batches.of(companyId).find(where, { sort: [['number', 'asc']], limit: PAGE });
  }

  /**
   * Stores rows as the table's next batch. Whoever takes a number before looks at what was stored meanwhile, so that a key is used once.
   *
   * @throws AppError `invalid_input` when they are too large, `not_found`, `unavailable`.
   */
  append(ref: TableName, batch: Batch | undefined, rowsFor: (now: TableNow) => BatchRows): Promise<StoredBatch> {
    // Those of this instance would only take the number from each other.
    return this.appending.run(idOf(ref), async () => {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        const now = await this.now(ref);
        if (now.isSealed)
          throw new AppError('conflict', 'the datasource is updating: try again when it is done', { retryAfter: 5 });
        assertNotTooMany(now);
        // Before the key is looked for: others may store a batch of the same key until this number is taken.
        const number = now.upTo + 1;
        const rows = rowsFor(now);
        const earlierNote = batch === undefined ? null : await this.noteOf(now, batch);
        if (earlierNote !== null || rows.texts.length === 0) return { now, earlierNote };
        const isStored = await this.stored(now, { number, rows, batch });
        if (isStored && (await this.isKept(now, number))) return { now, earlierNote: null };
      }
      throw tooManyAtOnce();
    });
  }

  /**
   * Ends what can be appended, or begins it again: by a batch without rows, so that every other one is either before it or refused.
   *
   * @throws AppError `not_found`, `unavailable`.
   */
  seal(ref: TableName, seals: boolean): Promise<void> {
    return this.appending.run(idOf(ref), async () => {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        const now = await this.now(ref);
        if (now.isSealed === seals || (await this.stored(now, { number: now.upTo + 1, rows: NO_ROWS, seals }))) return;
      }
      throw tooManyAtOnce();
    });
  }

  /**
   * Makes files the table's, in the place of what an earlier import of the same generation made, which is returned. Keys of batches are taken over
   * from the table whose rows are in the files.
   */
  async publish(
    ref: TableName,
    made: Pick<RowTable, 'base' | 'part' | 'rejects' | 'columns' | 'timeField' | 'metaField'>,
    kept?: TableName,
  ): Promise<RowTable | null> {
    const { companyId, datasourceId, generation } = ref;
    const tables = this.tables.of(companyId);
    const earlier = await tables.get(idOf(ref));
    const load = randomBytes(12).toString('hex');
    const through = kept === undefined ? 0 : await this.copyKeys(await this.table(kept), load);
    const fresh = { ...made, load, through, emptied: through };
    if (earlier === null) {
      const id = asId<RowTable['id']>(idOf(ref));
      await tables.insert({ ...fresh, id, companyId, datasourceId, generation, version: 1 });
      return null;
    }
    const change = { ...fresh, version: earlier.version + 1 };
    if ((await tables.update({ id: earlier.id, version: earlier.version }, { set: change })) !== null) return earlier;
    throw new AppError('unavailable', 'the rows were replaced meanwhile');
  }

  /** As batches whose rows are in the files; says how many. */
  private async copyKeys(from: RowTable, load: string): Promise<number> {
    const batches = this.batches.of(from.companyId);
    let [number, above] = [0, 0];
    for (let page = PAGE; page === PAGE;) {
      const found = await this.batchesAbove(from, above);
      for (const batch of found.filter(({ key }) => key !== null)) {
        const id = asId<RowBatch['id']>(batchId(load, (number += 1)));
        const expiresAt = new Date(batch.at.getTime() + KEPT_MS);
        await batches.insert({ ...batch, id, load, number, expiresAt, rows: 0, wider: [], data: null });
      }
      page = found.length;
      above = found.at(-1)?.number ?? above;
    }
    return number;
  }

  /** Null: somebody else has changed the table. */
  change({ id, companyId, load, version }: RowTable, set: TableChange): Promise<RowTable | null> {
    return this.tables.of(companyId).update({ id, load, version }, { set: { ...set, version: version + 1 } });
  }

  /** Takes the rows out of the batches that the files hold. What is not done now is done with the next. */
  async empty({ id, companyId, load, emptied, through }: RowTable): Promise<void> {
    const batches = this.batches.of(companyId);
    const expiresAt = new Date(this.clock.now().getTime() + KEPT_MS);
    for (let first = emptied + 1; first <= through; first += AT_ONCE) {
      const numbers = Array.from({ length: Math.min(AT_ONCE, through - first + 1) }, (_, index) => first + index);
      const set = { data: null, expiresAt };
      await Promise.all(numbers.map((number) => batches.update({ id: batchId(load, number) }, { set })));
    }
    await this.tables.of(companyId).update({ id, load }, { set: { emptied: through } });
  }

  /** The name of the object with the lines that an import has left out; null when there is none, or no such table. */
  async rejectsOf(ref: TableName): Promise<string | null> {
    return (await this.tables.of(ref.companyId).get(idOf(ref)))?.rejects ?? null;
  }

  ofDatasource(companyId: CompanyId, datasourceId: DatasourceId): Promise<readonly RowTable[]> {
    return this.tables.of(companyId).find({ datasourceId });
  }

  /** Every name of an object that a table of the company has. */
  async objectsOf(companyId: CompanyId): Promise<ReadonlySet<string>> {
    const tables = await this.tables.of(companyId).find({});
    return new Set(tables.flatMap(namesOf));
  }

  /** Removes the batches of an import. */
  async forget({ companyId, load }: Pick<RowTable, 'companyId' | 'load'>): Promise<void> {
    await this.batches.of(companyId).remove({ load });
  }

  /** Removes the record, and batches that came in while the rest was removed. */
  async remove(table: RowTable): Promise<void> {
    await this.tables.of(table.companyId).remove({ id: table.id });
    this.known.delete(table.id);
    await this.forget(table);
  }

  private async table(ref: TableName): Promise<RowTable> {
    const table = await this.tables.of(ref.companyId).get(idOf(ref));
    if (table !== null) return table;
    this.known.delete(idOf(ref));
    throw new AppError('not_found', 'the rows of this datasource are not there');
  }

  private async noteOf({ table }: TableNow, { key, at }: Batch): Promise<string | null> {
    const since = new Date(at.getTime() - DAY_MS);
    const sent = await this.batches.of(table.companyId).find({ load: table.load, key });
    const known = sent.filter((batch) => batch.at > since).sort((one, other) => other.number - one.number);
    return known[0]?.note ?? null;
  }

  /** False: the table was removed or imported anew while the batch was stored, which is then nobody's. */
  private async isKept({ table: { companyId, id, load } }: TableNow, number: number): Promise<boolean> {
    const found = await this.tables.of(companyId).get(id);
    if (found?.load === load) return true;
    await this.batches.of(companyId).remove({ id: batchId(load, number) });
    return false;
  }

  /** False: somebody else has the number. */
  private async stored(now: TableNow, { number, rows, batch, seals = false }: NextBatch): Promise<boolean> {
    const { companyId, load } = now.table;
    const data = await packedRows(rows);
    if (data.length > MOST_LETTERS)
      throw new AppError('invalid_input', 'the rows are too long to be stored at once: send fewer');
    const next: RowBatch = {
      id: asId<RowBatch['id']>(batchId(load, number)),
      companyId,
      load,
      number,
      key: batch?.key ?? null,
      note: batch?.note ?? '',
      at: batch?.at ?? this.clock.now(),
      rows: rows.texts.length,
      wider: [...rows.wider],
      seals,
      data,
      expiresAt: null,
    };
    try {
      await this.batches.of(companyId).insert(next);
    } catch (error) {
      if (isAppError(error, 'conflict')) return false;
      throw error;
    }
    now.add(next);
    return true;
  }
}

/** The objects that a table is made of. */
export function namesOf({ base, part, rejects }: RowTable): readonly string[] {
  return [base.name, part?.name, rejects].filter((name) => name !== undefined && name !== null);
}

function assertNotTooMany({ batches, letters }: TableNow): void {
  if (batches < MOST_BATCHES && letters < MOST_LATER_LETTERS) return;
  const why = 'too many inserted rows wait to be made files: no worker has done so for long';
  throw new AppError('unavailable', why, { retryAfter: 30 });
}

function tooManyAtOnce(): AppError {
  return new AppError('unavailable', 'the rows could not be stored: too many others are stored at once', {
    retryAfter: 1,
  });
}

function idOf({ datasourceId, generation }: TableName): string {
  return `${datasourceId}.${generation}`;
}

function batchId(load: string, number: number): string {
  return `${load}.${number}`;
}

/** Batches are kept for the engine up to so many letters; what is more is read again. */
const MOST_KEPT_LETTERS = 200_000;

/** A table as this instance knows it: its files, and the batches beside them. */
export class TableNow {
  /** The number of the last batch. */
  upTo: number;
  laterRows = 0;
  letters = 0;
  batches = 0;
  /** When the first batch was inserted that is in no file. */
  oldest: Date | null = null;
  /** No rows may come behind the last batch. */
  isSealed = false;
  columns: readonly TableColumn[];
  /** The batch up to which the engine has been told; it says itself when it has fewer, as after a new start. */
  told: number;
  /** Somebody has asked the engine about it. */
  isRead = false;
  /** Batches are on their way to the engine, and nobody waits for them. */
  isTelling = false;
  private untold: WireBatch[] = [];
  private untoldLetters = 0;

  constructor(readonly table: RowTable) {
    this.upTo = table.through;
    this.told = table.through;
    this.columns = table.columns;
  }

  get rows(): number {
    return this.table.base.rows + this.later;
  }

  /** The rows that are not in the base. */
  get later(): number {
    return (this.table.part?.rows ?? 0) + this.laterRows;
  }

  /** Names the files: others have another name. */
  get key(): string {
    return `${this.table.load}.${this.table.version}`;
  }

  isOf({ load, version }: RowTable): boolean {
    return load === this.table.load && version === this.table.version;
  }

  /** Adds the next batch; one that is known already changes nothing. False: one before it is missing. */
  add(batch: RowBatch): boolean {
    if (batch.number !== this.upTo + 1) return batch.number <= this.upTo;
    const { number, rows, wider, at } = batch;
    const data = batch.data ?? '';
    this.upTo = number;
    this.batches += 1;
    this.laterRows += rows;
    this.letters += data.length;
    this.oldest ??= at;
    this.isSealed = batch.seals === true;
    this.columns = widened(this.columns, wider);
    this.untold.push({ number, rows, wider, data });
    this.untoldLetters += data.length;
    while (this.untoldLetters > MOST_KEPT_LETTERS) this.dropFirst();
    return true;
  }

  /** The batches above a number, if they are still kept. */
  batchesAbove(number: number): readonly WireBatch[] | null {
    const found = this.untold.filter((batch) => batch.number > number);
    return found.length === this.upTo - number ? found : null;
  }

  /** The engine has the batches up to this one. */
  tell(number: number): void {
    this.told = Math.max(this.told, number);
    while ((this.untold[0]?.number ?? Infinity) <= this.told) this.dropFirst();
  }

  private dropFirst(): void {
    this.untoldLetters -= this.untold.shift()?.data.length ?? 0;
  }
}

const EVERY_MS = HOUR_MS;
/** A file is stored before a table's record names it: a moment later, but clocks differ, and a large one counts from the beginning of its upload. */
const YOUNG_MS = DAY_MS;

/** Removes files of rows that no table's record names: what an import or a compaction left that was interrupted. */
export class RowSweeper {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly tables: RowTables,
    private readonly objects: RowObjects,
    private readonly clock: Clock,
  ) {}

  /** Now and every hour; copies only now, when nobody has been told of any. */
  start(): void {
    this.begin(true);
    this.timer = setInterval(() => {
      this.begin(false);
    }, EVERY_MS).unref();
  }

  /** Resolves when nothing runs any more. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private async sweep(copiesToo: boolean): Promise<void> {
    const named = new Map<CompanyId, Promise<ReadonlySet<string>>>();
    const isNamed: IsNamed = async (companyId, name) => {
      const names = named.get(companyId) ?? this.tables.objectsOf(companyId);
      named.set(companyId, names);
      // One that was not named may be by now.
      return (await names).has(name) || (await this.tables.objectsOf(companyId)).has(name);
    };
    if (copiesToo) await this.objects.keepOnly(isNamed);
    await this.objects.sweep(isNamed, new Date(this.clock.now().getTime() - YOUNG_MS));
  }

  /** What can't be done now is done an hour later. */
  private begin(copiesToo: boolean): void {
    this.running = this.running.then(() => this.sweep(copiesToo)).catch(() => undefined);
  }
}
