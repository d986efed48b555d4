import { Controller, Get, Param, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { KeyScope } from '../../../http/api-keys.js';
import { CurrentUser } from '../../../http/current-user.js';
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
}
