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
  deletableBy(by: Principal): Where<T> | Promise<Where<T>>;
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

type AnyKind = BinKind<BinDocument>;

/** Where what was deleted stays for 30 days. */
@Injectable()
export class Bin {
  private readonly kinds: AnyKind[] = [];

  constructor(private readonly clock: Clock) {}

  /** Each feature says what it puts into the bin. */
  holds<T extends BinDocument>(kind: BinKind<T>): void {
    this.kinds.push(kind);
  }

  /** What the caller may restore, the last deleted first. */
  async list(by: Principal, { index, size }: Page): Promise<PageOf<BinEntry>> {
    const head = { index: 0, size: (index + 1) * size };
    const pages = await Promise.all(
      this.kinds.map(async (kind) => {
        const where = await kind.deletableBy(by);
        const page = await kind.things.inBin(by.companyId, where, this.clock.now(), head);
        return { ...page, entries: page.entries.map((thing) => entryOf(kind, thing)) };
      }),
    );
    const entries = pages
      .flatMap((page) => page.entries)
      .sort((left, right) => right.restorableUntil.getTime() - left.restorableUntil.getTime());
    return {
      entries: entries.slice(index * size, head.size),
      total: pages.reduce((sum, page) => sum + page.total, 0),
    };
  }

  /** @throws AppError `not_found`, also for what the caller may not delete. */
  async restore(by: Principal, id: Id<'deleted'>): Promise<BinEntry> {
    const [kind, thing] = await this.find(by, id);
    if ((await kind.things.restore(thing, kind.whenRestored(thing))) === null) throw notThere();
    return entryOf(kind, thing);
  }

  /** Removes it for good. @throws AppError `not_found`, also for what the caller may not delete. */
  async remove(by: Principal, id: Id<'deleted'>): Promise<BinEntry> {
    const [kind, thing] = await this.find(by, id);
    const expelled = await kind.things.expel(thing);
    if (expelled === null) throw notThere();
    await kind.remove(expelled);
    return entryOf(kind, thing);
  }

  /** Ends what was in the bin for long enough, and removes what is to be removed and is still there. */
  async sweep(): Promise<void> {
    for (const kind of this.kinds) {
      // Whoever is first has it; should they die now, it is one of those that are to be removed.
      for (const thing of await kind.things.allExpired(this.clock.now())) await kind.things.expel(thing);
      for (const thing of await kind.things.allDeleted()) await kind.remove(thing);
    }
  }

  private async find(by: Principal, id: Id<'deleted'>): Promise<readonly [AnyKind, BinDocument]> {
    for (const kind of this.kinds) {
      const where = await kind.deletableBy(by);
      const thing = await kind.things.findInBin(by.companyId, asId(id), where, this.clock.now());
      if (thing !== null) return [kind, thing];
    }
    throw notThere();
  }
}

function notThere(): AppError {
  return new AppError('not_found', 'it is not in the bin: it was restored or removed, or was never there');
}

function entryOf(kind: AnyKind, thing: BinDocument): BinEntry {
  return {
    id: thing.id,
    kind: kind.kind,
    name: kind.nameOf(thing),
    deletedAt: thing.deletedAt ?? new Date(0),
    restorableUntil: thing.restorableUntil ?? new Date(0),
  };
}
