import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { KeyScope } from '../../../http/api-keys.js';
import { ok } from '../../../http/envelope.js';
import { DetectTimeFormatBody, DetectTimeFormatResponse, detectedTimeFormat } from './time-format.wire.js';

@ApiTags('Datasources')
@Access('user')
@Controller('secure/datasource')
export class TimeFormatController {
  /** The layout of a timestamp, as the `timeformat` of a datasource takes it. `ambiguous` has the other readings when day and month can't be told apart. */
  @Post('detect-timeformat')
  @KeyScope('read')
  @HttpCode(200)
  detect(@Body() body: DetectTimeFormatBody): DetectTimeFormatResponse {
    return ok('time format detected', detectedTimeFormat(body));
  }
}
