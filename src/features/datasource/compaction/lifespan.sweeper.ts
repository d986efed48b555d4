import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Log } from '../../../ports/log.js';
import { messageOf } from '../../../shared/app-error.js';
import { InsertLedger } from '../data/insert-ledger.js';
import { InsertNews, isOutgrown } from '../data/insert-news.js';
import { DatasourceRepository } from '../datasource.repository.js';
import type { Datasource } from '../datasource.types.js';

const HOUR = 3_600_000;
/** Their profiles are large. */
const AT_ONCE = 20;

/** Rows outlive their lifespan without anybody doing anything: counts what is left, and has those that can't be seen any more leave the disk. */
@Injectable()
export class LifespanSweeper implements OnApplicationBootstrap {
  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly ledger: InsertLedger,
    private readonly news: InsertNews,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    // The service need not wait for it.
    void this.tick();
  }

  @Interval(HOUR)
  async tick(): Promise<void> {
    await this.sweep().catch(this.tellLater);
  }

  async sweep(): Promise<void> {
    let page = await this.datasources.nextOf('', AT_ONCE);
    while (page.length > 0) {
      for (const datasource of page)
        // One whose rows can't be read now must not keep the others waiting.
        if (datasource.config.lifespan > 0) await this.age(datasource).catch(this.tellLater);
      page = await this.datasources.nextOf(page.at(-1)?.id ?? '', AT_ONCE);
    }
  }

  private async age(datasource: Datasource): Promise<void> {
    const counted = await this.ledger.refresh(datasource);
    if (counted === null) return;
    if (isOutgrown(counted)) await this.news.askForProfile(counted);
    await this.news.askForCompaction(counted);
  }

  private readonly tellLater = (error: unknown): void => {
    this.log.warn('the rows of a datasource could not be checked against its lifespan; the next hour tries again', {
      reason: messageOf(error),
    });
  };
}
