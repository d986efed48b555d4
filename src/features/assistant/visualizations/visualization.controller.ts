import { Controller, Get, Param, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { KeyScope } from '../../../http/api-keys.js';
import { ChartResponse } from '../../../http/answer.wire.js';
import { CurrentUser } from '../../../http/current-user.js';
import { ok } from '../../../http/envelope.js';
import { ChartImages } from '../../../answering/chart-images.js';
import type { Principal } from '../../../shared/principal.js';
import { noSuchImage } from '../assistant.errors.js';

@ApiTags('Answers')
@Access('user')
@KeyScope('read', 'ask')
@Controller('secure/assistant/visualizations')
export class VisualizationController {
  constructor(private readonly charts: ChartImages) {}

  /** A chart of one of the company's answers, as PNG. Answers name it in `visualization`. */
  @Get(':filename')
  @ApiParam({ name: 'filename', type: String })
  @ApiOkResponse({ content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } })
  async read(@CurrentUser() { companyId }: Principal, @Param('filename') name: string): Promise<StreamableFile> {
    const picture = await this.charts.picture(companyId, name);
    if (picture === null) throw noSuchImage();
    return new StreamableFile(picture.png, { type: 'image/png', length: picture.bytes });
  }

  /** The same chart as a Vega-Lite specification with its data. A chart of which only the picture was kept has none. */
  @Get(':filename/chart')
  @ApiParam({ name: 'filename', type: String })
  async chart(@CurrentUser() { companyId }: Principal, @Param('filename') name: string): Promise<ChartResponse> {
    const chart = await this.charts.specification(companyId, name);
    if (chart === null) throw noSuchImage();
    return ok('chart retrieved', { chart });
  }
}
