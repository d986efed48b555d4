import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { CurrentUser } from '../../../http/current-user.js';
import { ok } from '../../../http/envelope.js';
import type { Principal } from '../../../shared/principal.js';
import { PlotService } from './plot.service.js';
import { PlotBody, PlotResponse, plotRequestFrom, plotView } from './plot.wire.js';

@ApiBearerAuth()
@Access('user')
@Controller('secure/data')
export class PlotController {
  constructor(private readonly plots: PlotService) {}

  /** One column over time, of one asset or all, cut into buckets when there are more rows than points. */
  @Post('plot')
  @HttpCode(200)
  async plot(@CurrentUser() user: Principal, @Body() body: PlotBody): Promise<PlotResponse> {
    return ok('data view retrieved', plotView(await this.plots.plot(user, plotRequestFrom(body))));
  }
}
