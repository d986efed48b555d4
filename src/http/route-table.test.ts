import { Controller, Get } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { expect, it } from 'vitest';
import { Access } from './access.js';
import { RouteTable } from './route-table.js';

@Controller('things')
class ThingsController {
  @Access('user')
  @Get(':id')
  read(): string {
    return 'thing';
  }

  @Get('open')
  open(): string {
    return 'to everybody';
  }
}

it('a route that declares no access rule is refused, and named', async () => {
  const parts = { imports: [DiscoveryModule], controllers: [ThingsController], providers: [RouteTable] };
  const table = (await Test.createTestingModule(parts).compile()).get(RouteTable);
  expect(() => table.routes()).toThrow('These routes declare no access rule: GET things/open');
});
