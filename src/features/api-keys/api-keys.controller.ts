import { Body, Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiConflictResponse, ApiForbiddenResponse, ApiTags } from '@nestjs/swagger';
import { Access, KeyScope, PostOk } from '../../http/access.js';
import { CurrentUser, IdPipe, RequestedPage } from '../../http/parameters.js';
import { Envelope, ok } from '../../http/envelope.wire.js';
import type { ApiKeyId } from '../../shared/ids.js';
import type { Page } from '../../shared/page.js';
import type { Principal } from '../../shared/principal.js';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyCreatedResponse, ApiKeysResponse, CreateApiKeyBody, apiKeyView, keyDraftFrom } from './api-keys.wire.js';

@ApiTags('API keys')
@Access('user')
@KeyScope('none')
@Controller('secure/api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  /** Makes a key for programs. It acts as the caller, or, for managers, as a service account; the answer alone shows it. */
  @PostOk()
  @ApiForbiddenResponse({ description: 'A service account is asked for by no manager, or with a role above the own.' })
  @ApiConflictResponse({ description: 'The caller has made as many as one may have.' })
  async make(@CurrentUser() user: Principal, @Body() body: CreateApiKeyBody): Promise<ApiKeyCreatedResponse> {
    const made = await this.keys.make(user, keyDraftFrom(body));
    return ok('API key created', { api_key: apiKeyView(made), key: made.text });
  }

  /** The caller's own keys; for managers all of their company. Newest first, and never with their secrets. */
  @Get()
  async list(@CurrentUser() user: Principal, @RequestedPage() page: Page): Promise<ApiKeysResponse> {
    const { entries, total } = await this.keys.list(user, page);
    return ok('API keys retrieved', { api_keys: entries.map(apiKeyView), total });
  }

  /** Revokes a key at once, for its owner and for managers. Its sockets are closed. */
  @Delete(':id')
  async revoke(@CurrentUser() user: Principal, @Param('id', IdPipe) id: ApiKeyId): Promise<Envelope> {
    await this.keys.revoke(user, id);
    return ok('API key revoked');
  }
}
