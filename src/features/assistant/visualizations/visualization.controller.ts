import { Controller, Get, Param, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { CurrentUser } from '../../../http/current-user.js';
import { ObjectStore } from '../../../ports/object-store.js';
import type { Principal } from '../../../shared/principal.js';
import { noSuchImage } from '../assistant.errors.js';

@ApiTags('Answers')
@Access('user')
@Controller('secure/assistant/visualizations')
export class VisualizationController {
  constructor(private readonly objects: ObjectStore) {}

  /** A chart of one of the company's answers, as PNG. Answers name it in `visualization`. */
  @Get(':filename')
  @ApiParam({ name: 'filename', type: String })
  @ApiOkResponse({ content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } })
  async read(@CurrentUser() { companyId }: Principal, @Param('filename') name: string): Promise<StreamableFile> {
    const key = { companyId, area: 'images', name } as const;
    const image = await this.objects.stat(key);
    if (image === null) throw noSuchImage();
    return new StreamableFile(await this.objects.read(key), { type: 'image/png', length: image.size });
  }
}
