import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { KeyScope } from '../../../http/api-keys.js';
import { CurrentUser } from '../../../http/current-user.js';
import { ok } from '../../../http/envelope.js';
import type { Principal } from '../../../shared/principal.js';
import { PlotService } from './plot.service.js';
import { PlotBody, PlotResponse, plotRequestFrom, plotView } from './plot.wire.js';

@ApiTags('Rows')
@Access('user')
@Controller('secure/data')
export class PlotController {
  constructor(private readonly plots: PlotService) {}

  /** One column over time, of one asset or all. When there are more rows than points, buckets keep the lowest and the highest value. */
  @Post('plot')
  @KeyScope('read')
  @HttpCode(200)
  async plot(@CurrentUser() user: Principal, @Body() body: PlotBody): Promise<PlotResponse> {
    return ok('data view retrieved', plotView(await this.plots.plot(user, plotRequestFrom(body))));
  }
}
