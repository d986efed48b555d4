import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { Access } from '../../http/access.js';
import { KeyScope } from '../../http/api-keys.js';
import { CurrentUser } from '../../http/current-user.js';
import { ok } from '../../http/envelope.js';
import { hasRole, type Principal } from '../../shared/principal.js';
import { SettingsService } from './settings.service.js';
import {
  ChangeSettingsBody,
  changedSettings,
  readOnlySettingsView,
  settingsPatchFrom,
  settingsView,
  type ChangedSettingsResponse,
  type SettingsResponse,
} from './settings.wire.js';

@ApiTags('Company')
@Access('user')
@KeyScope('none')
@Controller('secure/settings')
export class SettingsController {
  constructor(private readonly settings: SettingsService) {}

  /** The settings of the caller's company. Secrets are shown as `***`. */
  @Get()
  @KeyScope('read')
  async list(@CurrentUser() user: Principal): Promise<SettingsResponse> {
    const settings = await this.settings.list(user);
    const view = hasRole(user.role, 'manager') ? settingsView : readOnlySettingsView;
    return ok('settings retrieved', { settings: settings.map(view) });
  }

  /** Changes settings of the caller's company. For managers. Secrets are stored encrypted and never shown again. */
  @Patch()
  @Access('manager')
  @ApiBody({ type: ChangeSettingsBody })
  async change(@CurrentUser() user: Principal, @Body() body: unknown): Promise<ChangedSettingsResponse> {
    return ok('settings updated', changedSettings(await this.settings.change(user, settingsPatchFrom(body))));
  }
}
