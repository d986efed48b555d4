import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Log } from '../../../ports/log.js';
import { messageOf } from '../../../shared/app-error.js';
import type { Datasource } from '../datasource.types.js';
import { InsertLedger } from './insert-ledger.js';
import { InsertNews, isOutgrown } from './insert-news.js';

/** Counts the rows that came in while a process died, when nobody can be inserting them any more. */
@Injectable()
export class InsertReconciler implements OnApplicationBootstrap {
  constructor(
    private readonly ledger: InsertLedger,
    private readonly news: InsertNews,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.reconcile(true).catch(this.tellLater);
  }

  @Interval(30_000)
  async tick(): Promise<void> {
    await this.reconcile(false).catch(this.tellLater);
  }

  async reconcile(atStart: boolean): Promise<void> {
    for (const datasource of await this.ledger.abandoned(atStart)) {
      // One whose rows can't be read now must not keep the others waiting.
      await this.recount(datasource).catch(this.tellLater);
    }
  }

  private async recount(datasource: Datasource): Promise<void> {
    const counted = await this.ledger.recount(datasource);
    if (counted !== null && isOutgrown(counted)) await this.news.askForProfile(counted);
  }

  private readonly tellLater = (error: unknown): void => {
    this.log.warn('inserted rows could not be counted; the next turn tries again', { reason: messageOf(error) });
  };
}
