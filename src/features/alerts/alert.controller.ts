import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { ApiForbiddenResponse, ApiTags } from '@nestjs/swagger';
import { Access, PostOk } from '../../http/access.js';
import { CurrentUser, IdPipe, RequestedPage } from '../../http/parameters.js';
import { Envelope, ok } from '../../http/envelope.wire.js';
import type { Page } from '../../shared/page.js';
import type { Principal } from '../../shared/principal.js';
import type { AlertId } from './alert.schema.js';
import { AlertReader, AlertRemover, AlertService } from './alert.service.js';
import {
  alertChangeFrom,
  alertDraftFrom,
  AlertHistoryResponse,
  AlertResponse,
  AlertsResponse,
  alertView,
  ChangeAlertBody,
  CreateAlertBody,
  historyView,
} from './alert.wire.js';

const NOT_THEIRS = {
  description: 'The caller has not made it and is no manager, or names a recipient outside the company.',
};

@ApiTags('Alerts')
@Access('user')
@Controller('secure/alerts')
export class AlertController {
  constructor(
    private readonly alerts: AlertService,
    private readonly reader: AlertReader,
    private readonly remover: AlertRemover,
  ) {}

  /** The company's alerts, newest first. `total` counts those on all pages. */
  @Get()
  async list(@CurrentUser() user: Principal, @RequestedPage() page: Page): Promise<AlertsResponse> {
    const { entries, total } = await this.reader.list(user, page);
    return ok('alerts retrieved', { alerts: entries.map(alertView), total });
  }

  /** Makes an alert on one figure. The figure is read once before it is kept. */
  @PostOk()
  @ApiForbiddenResponse(NOT_THEIRS)
  async create(@CurrentUser() user: Principal, @Body() body: CreateAlertBody): Promise<AlertResponse> {
    return ok('alert created', { alert: alertView(await this.alerts.create(user, alertDraftFrom(body))) });
  }

  /** An alert with its state. The figure is the one of its last check. */
  @Get(':id')
  async get(@CurrentUser() user: Principal, @Param('id', IdPipe) id: AlertId): Promise<AlertResponse> {
    return ok('alert retrieved', { alert: alertView(await this.reader.get(user, id)) });
  }

  /** Changes an alert. With another condition it begins anew, and may fire at its next check. */
  @Patch(':id')
  @ApiForbiddenResponse(NOT_THEIRS)
  async change(
    @CurrentUser() user: Principal,
    @Param('id', IdPipe) id: AlertId,
    @Body() body: ChangeAlertBody,
  ): Promise<AlertResponse> {
    return ok('alert updated', { alert: alertView(await this.alerts.change(user, id, alertChangeFrom(body))) });
  }

  /** Deletes an alert with its history. For whoever made it and managers. */
  @Delete(':id')
  @ApiForbiddenResponse(NOT_THEIRS)
  async remove(@CurrentUser() user: Principal, @Param('id', IdPipe) id: AlertId): Promise<Envelope> {
    await this.remover.remove(user, id);
    return ok('alert deleted');
  }

  /** Checks an alert now. Its schedule stays as it is; it fires when its condition has become true. */
  @PostOk(':id/check')
  async check(@CurrentUser() user: Principal, @Param('id', IdPipe) id: AlertId): Promise<AlertResponse> {
    return ok('alert checked', { alert: alertView(await this.reader.check(user, id)) });
  }

  /** When an alert fired and when that was over, newest first. It also tells since when it could not be checked. */
  @Get(':id/history')
  async history(
    @CurrentUser() user: Principal,
    @Param('id', IdPipe) id: AlertId,
    @RequestedPage() page: Page,
  ): Promise<AlertHistoryResponse> {
    return ok('alert history retrieved', historyView(await this.reader.history(user, id, page)));
  }
}
