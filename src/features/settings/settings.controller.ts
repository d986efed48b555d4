import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { Access, KeyScope } from '../../http/access.js';
import { CurrentUser } from '../../http/parameters.js';
import { ok } from '../../http/envelope.wire.js';
import { hasRole, type Principal } from '../../shared/principal.js';
import { said } from '../../shared/said.js';
import { SettingsFacade } from './settings.facade.js';
import {
  ChangeSettingsBody,
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
  constructor(private readonly settings: SettingsFacade) {}

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
    const { settings, webhookSecret } = await this.settings.change(user, settingsPatchFrom(body));
    return ok('settings updated', { settings: [settingsView(settings)], ...said({ webhook_secret: webhookSecret }) });
  }
}
