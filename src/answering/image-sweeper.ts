import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../ports/clock.js';
import { Log } from '../ports/log.js';
import { ObjectStore, type ObjectKey } from '../ports/object-store.js';
import { messageOf } from '../shared/app-error.js';
import type { CompanyId } from '../shared/ids.js';
import { ChartImages } from './chart-images.js';
import { DAY_MS, HOUR_MS } from '../shared/durations.js';

/** The file names of all images that a feature still shows to a company; it may name one twice. */
export type ShownImages = (companyId: CompanyId) => AsyncIterable<string>;

/** Whoever got an answer that was not kept can still see its image so long. */
const KEPT_MS = 7 * DAY_MS;
/** Images that are looked for at once. */
const AT_ONCE = 10_000;

/** Removes the images of answers that were never kept, and of those that were cut before they were. */
@Injectable()
export class ImageSweeper {
  private readonly owners: ShownImages[] = [];
  private next = new Date(0);

  constructor(
    private readonly objects: ObjectStore,
    private readonly charts: ChartImages,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Features say which images they show. */
  alsoShown(images: ShownImages): void {
    this.owners.push(images);
  }

  /** Once a day, and an hour after each start: a service that is started anew every day sweeps too. */
  @Interval(HOUR_MS)
  async tick(): Promise<void> {
    const now = this.clock.now();
    if (now < this.next) return;
    this.next = new Date(now.getTime() + DAY_MS);
    await this.sweep().catch((error: unknown) => {
      this.log.warn('images that nobody shows could not be removed; the next day tries again', {
        reason: messageOf(error),
      });
    });
  }

  /** Removes nothing of a company unless everybody who may show its images was asked. */
  async sweep(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    let old: ObjectKey[] = [];
    for (const area of ['charts', 'images'] as const) {
      for await (const { key, modifiedAt } of this.objects.list(area)) {
        if (modifiedAt >= before) continue;
        old.push(key);
        if (old.length < AT_ONCE) continue;
        await this.removeUnshown(old);
        old = [];
      }
    }
    await this.removeUnshown(old);
  }

  private async removeUnshown(images: readonly ObjectKey[]): Promise<void> {
    for (const companyId of new Set(images.map((key) => key.companyId))) {
      const names = new Set(images.filter((key) => key.companyId === companyId).map(({ name }) => name));
      for (const shown of this.owners) for await (const name of shown(companyId)) names.delete(name);
      for (const name of names) await this.charts.remove(companyId, name);
    }
  }
}
