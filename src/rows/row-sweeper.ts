import type { Clock } from '../ports/clock.js';
import type { CompanyId } from '../shared/ids.js';
import type { IsNamed, RowObjects } from './row-objects.js';
import type { RowTables } from './row-tables.js';

const EVERY_MS = 3_600_000;
/** A file is stored before a table's record names it: a moment later, but clocks differ, and a large one counts from the beginning of its upload. */
const YOUNG_MS = 86_400_000;

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
    this.begin(async (isNamed) => this.objects.keepOnly(isNamed));
    this.timer = setInterval(() => {
      this.begin(() => Promise.resolve());
    }, EVERY_MS).unref();
  }

  /** Resolves when nothing runs any more. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private async sweep(before: (isNamed: IsNamed) => Promise<void>): Promise<void> {
    const named = new Map<CompanyId, Promise<ReadonlySet<string>>>();
    const isNamed: IsNamed = async (companyId, name) => {
      const names = named.get(companyId) ?? this.tables.objectsOf(companyId);
      named.set(companyId, names);
      // One that was not named may be by now.
      return (await names).has(name) || (await this.tables.objectsOf(companyId)).has(name);
    };
    await before(isNamed);
    await this.objects.sweep(isNamed, new Date(this.clock.now().getTime() - YOUNG_MS));
  }

  /** What can't be done now is done an hour later. */
  private begin(before: (isNamed: IsNamed) => Promise<void>): void {
    this.running = this.running.then(() => this.sweep(before)).catch(() => undefined);
  }
}
