import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Log } from '../../../ports/log.js';
import { messageOf } from '../../../shared/app-error.js';
import { InsertLedger, isOutgrown } from '../data/insert-ledger.js';
import { DatasourceRepository } from '../datasource.repository.js';
import type { Datasource } from '../datasource.types.js';
import { DatasourceWork } from '../datasource-work.js';

const HOUR = 3_600_000;

/** Rows outlive their lifespan without anybody doing anything: counts what is left, and has those that can't be seen any more leave the disk. */
@Injectable()
export class LifespanSweeper implements OnApplicationBootstrap {
  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly ledger: InsertLedger,
    private readonly work: DatasourceWork,
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
    const withRows = { generation: { gt: 0 }, updating: false, deletedAt: null };
    for await (const datasource of this.datasources.anywhereInOrder(withRows))
      // One whose rows can't be read now must not keep the others waiting.
      if (datasource.config.lifespan > 0) await this.age(datasource).catch(this.tellLater);
  }

  private async age(datasource: Datasource): Promise<void> {
    const counted = await this.ledger.refresh(datasource);
    if (counted === null) return;
    if (isOutgrown(counted)) await this.work.ask('datasource.profile', counted);
    await this.work.ask('datasource.compact', counted);
  }

  private readonly tellLater = (error: unknown): void => {
    this.log.warn('the rows of a datasource could not be checked against its lifespan; the next hour tries again', {
      reason: messageOf(error),
    });
  };
}
