import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { AccessGuard } from './access.guard.js';
import { ErrorFilter } from './error.filter.js';
import { RouteTable } from './route-table.js';
import { Traffic } from './traffic.js';
import { validationPipe } from './validation.pipe.js';

/** What every route passes through. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    RouteTable,
    Traffic,
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_PIPE, useFactory: validationPipe },
  ],
  exports: [RouteTable],
})
export class HttpModule {}
