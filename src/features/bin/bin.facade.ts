import { Injectable } from '@nestjs/common';
import type { BinDocument, BinRepository } from '../../ports/bin-repository.js';
import { Clock } from '../../ports/clock.js';
import type { Change, Where } from '../../ports/document-store.js';
import { AppError } from '../../shared/app-error.js';
import { asId, type Id } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import type { Principal } from '../../shared/principal.js';

export type BinKindName = 'datasource' | 'conversation' | 'task' | 'context-file' | 'board';

/** What the bin has to know of things of one kind. */
export interface BinKind<T extends BinDocument> {
  readonly kind: BinKindName;
  readonly things: BinRepository<T>;
  nameOf(thing: T): string;
  /** Those that somebody may delete; nobody sees others in the bin. */
  deletableBy(by: Principal): Promise<Where<T>>;
  /** What else is set when it comes back. */
  whenRestored(thing: T): Change<T>['set'];
  /** Removes all that belongs to it, and its record last. It is called again until the record is gone. */
  remove(thing: T): Promise<void>;
}

export interface BinEntry {
  readonly id: string;
  readonly kind: BinKindName;
  readonly name: string;
  readonly deletedAt: Date;
  readonly restorableUntil: Date;
}

/** Things of one kind, whatever their type. */
interface Drawer {
  list(by: Principal, page: Page): Promise<PageOf<BinEntry>>;
  restore(by: Principal, id: string): Promise<BinEntry | null>;
  remove(by: Principal, id: string): Promise<BinEntry | null>;
  sweep(): Promise<void>;
}

/** Where what was deleted stays for 30 days. */
@Injectable()
export class Bin {
  private readonly drawers: Drawer[] = [];

  constructor(private readonly clock: Clock) {}

  /** Each feature says what it puts into the bin. */
  holds<T extends BinDocument>(kind: BinKind<T>): void {
    this.drawers.push(drawerOf(kind, this.clock));
  }

  /** What the caller may restore, the last deleted first. */
  async list(by: Principal, { index, size }: Page): Promise<PageOf<BinEntry>> {
    const head = { index: 0, size: (index + 1) * size };
    const pages = await Promise.all(this.drawers.map((drawer) => drawer.list(by, head)));
    const entries = pages
      .flatMap((page) => page.entries)
      .sort((left, right) => right.restorableUntil.getTime() - left.restorableUntil.getTime());
    return {
      entries: entries.slice(index * size, head.size),
      total: pages.reduce((sum, page) => sum + page.total, 0),
    };
  }

  /** @throws AppError `not_found`, also for what the caller may not delete. */
  restore(by: Principal, id: Id<'deleted'>): Promise<BinEntry> {
    return this.fromDrawer((drawer) => drawer.restore(by, id));
  }

  /** Removes it for good. @throws AppError `not_found`, also for what the caller may not delete. */
  remove(by: Principal, id: Id<'deleted'>): Promise<BinEntry> {
    return this.fromDrawer((drawer) => drawer.remove(by, id));
  }

  /** Ends what was in the bin for long enough, and removes what is to be removed and is still there. */
  async sweep(): Promise<void> {
    for (const drawer of this.drawers) await drawer.sweep();
  }

  private async fromDrawer(take: (drawer: Drawer) => Promise<BinEntry | null>): Promise<BinEntry> {
    for (const drawer of this.drawers) {
      const entry = await take(drawer);
      if (entry !== null) return entry;
    }
    throw new AppError('not_found', 'it is not in the bin: it was restored or removed, or was never there');
  }
}

function drawerOf<T extends BinDocument>({ things, ...kind }: BinKind<T>, clock: Clock): Drawer {
  const find = async (by: Principal, id: string): Promise<T | null> =>
    things.findInBin(by.companyId, asId(id), await kind.deletableBy(by), clock.now());
  const entryOf = (thing: T): BinEntry => ({
    id: thing.id,
    kind: kind.kind,
    name: kind.nameOf(thing),
    deletedAt: thing.deletedAt ?? new Date(0),
    restorableUntil: thing.restorableUntil ?? new Date(0),
  });
  return {
    async list(by, page) {
      const { entries, total } = await things.inBin(by.companyId, await kind.deletableBy(by), clock.now(), page);
      return { entries: entries.map(entryOf), total };
    },
    async restore(by, id) {
      const thing = await find(by, id);
      const restored = thing === null ? null : await things.restore(thing, kind.whenRestored(thing));
      return thing === null || restored === null ? null : entryOf(thing);
    },
    async remove(by, id) {
      const thing = await find(by, id);
      const expelled = thing === null ? null : await things.expel(thing);
      if (thing === null || expelled === null) return null;
      await kind.remove(expelled);
      return entryOf(thing);
    },
    async sweep() {
      // Whoever is first has it; should they die now, it is one of those that are to be removed.
      for (const thing of await things.allExpired(clock.now())) await things.expel(thing);
      for (const thing of await things.allDeleted()) await kind.remove(thing);
    },
  };
}
