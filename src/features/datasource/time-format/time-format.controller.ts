import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { KeyScope } from '../../../http/api-keys.js';
import { ok } from '../../../http/envelope.js';
import { TimeFormatService } from './time-format.service.js';
import { DetectTimeFormatBody, DetectTimeFormatResponse, timeFormatView } from './time-format.wire.js';

@ApiTags('Datasources')
@Access('user')
@Controller('secure/datasource')
export class TimeFormatController {
  constructor(private readonly timeFormats: TimeFormatService) {}

  /** The layout of a timestamp, as the `timeformat` of a datasource takes it. `ambiguous` has the other readings when day and month can't be told apart. */
  @Post('detect-timeformat')
  @KeyScope('read')
  @HttpCode(200)
  detect(@Body() body: DetectTimeFormatBody): DetectTimeFormatResponse {
    return ok('time format detected', timeFormatView(this.timeFormats.detect(body.timestamp)));
  }
}
