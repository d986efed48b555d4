import { Injectable, Module } from '@nestjs/common';
import { Reconciler } from '../../queue/reconciler.js';
import { BinController } from './bin.controller.js';
import { Bin } from './bin.facade.js';

/** Empties the bin of what was in it for 30 days, and removes what a process that died has left. */
@Injectable()
export class BinSweeper extends Reconciler {
  protected override readonly failure = 'the bin could not be looked through';

  constructor(private readonly bin: Bin) {
    super();
  }

  override reconcile(): Promise<void> {
    return this.bin.sweep();
  }
}

/** What is deleted stays restorable for a while. */
@Module({ controllers: [BinController], providers: [Bin, BinSweeper], exports: [Bin] })
export class BinModule {}
