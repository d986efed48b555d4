import { Controller, Get, Post } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from 'vitest';
import { Access, KeyScope } from './access.js';
import { RouteTable } from './route-table.js';

@Access('user')
@Controller('things')
class ThingsController {
  @Get(':id')
  read(): string {
    return 'thing';
  }

  @Access('manager')
  @Post()
  make(): string {
    return 'made';
  }

  @KeyScope('none')
  @Post('own')
  keep(): string {
    return 'kept';
  }
}

@Controller('forgotten')
class ForgottenController {
  @Get('open')
  open(): string {
    return 'to everybody';
  }
}

async function tableOf(...controllers: (new () => object)[]): Promise<RouteTable> {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    controllers,
    providers: [RouteTable],
  }).compile();
  return module.get(RouteTable);
}

describe('the route table', () => {
  it('refuses a route that declares no rule, and names it', async () => {
    const table = await tableOf(ThingsController, ForgottenController);
    expect(() => table.routes()).toThrow('These routes declare no access rule: GET forgotten/open');
  });
});
