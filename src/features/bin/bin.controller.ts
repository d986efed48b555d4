import { Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, PostOk } from '../../http/access.js';
import { CurrentUser, IdPipe, RequestedPage } from '../../http/parameters.js';
import { ok } from '../../http/envelope.wire.js';
import type { Id } from '../../shared/ids.js';
import type { Page } from '../../shared/page.js';
import type { Principal } from '../../shared/principal.js';
import { Bin } from './bin.facade.js';
import { BinEntryResponse, binEntryView, BinResponse } from './bin.wire.js';

@ApiTags('Bin')
@Access('user')
@Controller('secure/bin')
export class BinController {
  constructor(private readonly bin: Bin) {}

  /** What was deleted in the last 30 days and can be restored by the caller. The last deleted comes first. */
  @Get()
  async list(@CurrentUser() user: Principal, @RequestedPage() page: Page): Promise<BinResponse> {
    const { entries, total } = await this.bin.list(user, page);
    return ok('bin retrieved', { entries: entries.map(binEntryView), total });
  }

  /** Undoes a deletion. All that belongs to it is there again as it was. */
  @PostOk(':id/restore')
  async restore(@CurrentUser() user: Principal, @Param('id', IdPipe) id: Id<'deleted'>): Promise<BinEntryResponse> {
    return ok('restored', { entry: binEntryView(await this.bin.restore(user, id)) });
  }

  /** Removes something from the bin for good. Nothing brings it back. */
  @Delete(':id')
  async remove(@CurrentUser() user: Principal, @Param('id', IdPipe) id: Id<'deleted'>): Promise<BinEntryResponse> {
    return ok('removed for good', { entry: binEntryView(await this.bin.remove(user, id)) });
  }
}
