import { Body, Controller, Delete, Get, Headers, Ip, Put } from '@nestjs/common';
import { ApiConflictResponse, ApiForbiddenResponse, ApiTags } from '@nestjs/swagger';
import { Access, KeyScope, PostOk } from '../../../http/access.js';
import { CurrentUser } from '../../../http/parameters.js';
import { Envelope, ok } from '../../../http/envelope.wire.js';
import type { Principal } from '../../../shared/principal.js';
import { LoginResponse, loginView } from '../../auth/auth.facade.js';
import { SignInProviders, SignInSettingsService } from './sign-in-providers.js';
import { SignInService } from './sign-in.service.js';
import {
  answerFrom,
  BeginSignInBody,
  FinishSignInBody,
  SignInBegunResponse,
  signInDraftFrom,
  SignInProviderBody,
  SignInProviderResponse,
  signInProviderView,
  whoFrom,
} from './sign-in.wire.js';

@ApiTags('Members')
@Access('manager')
@KeyScope('none')
@Controller('secure/sign-in')
export class SignInSettingsController {
  constructor(
    private readonly settings: SignInSettingsService,
    private readonly providers: SignInProviders,
  ) {}

  /** The OpenID Connect provider with which the people of the company sign in. Its secret is not told. */
  @Get()
  async get(@CurrentUser() user: Principal): Promise<SignInProviderResponse> {
    const provider = await this.providers.of(user.companyId);
    return this.shown('sign-in retrieved', provider === null ? null : signInProviderView(provider));
  }

  /** Sets the provider, which is asked for its metadata first. Who signs in with a password still can. */
  @Put()
  @ApiConflictResponse({ description: 'A domain is another company’s, or the operator has not set `PUBLIC_URL`.' })
  async save(@CurrentUser() user: Principal, @Body() body: SignInProviderBody): Promise<SignInProviderResponse> {
    return this.shown('sign-in saved', signInProviderView(await this.settings.save(user, signInDraftFrom(body))));
  }

  /** Ends signing in by the provider. Sessions that are open stay open. */
  @Delete()
  async remove(@CurrentUser() user: Principal): Promise<Envelope> {
    return ok((await this.settings.remove(user)) ? 'sign-in removed' : 'there was no provider');
  }

  private shown(message: string, provider: SignInProviderResponse['provider']): SignInProviderResponse {
    return ok(message, { provider, redirect_uri: this.providers.redirectUri });
  }
}

/** For whoever signs in with their company's provider. */
@ApiTags('Sessions')
@Access('public')
@KeyScope('none')
@Controller('sign-in')
export class SignInController {
  constructor(private readonly signIns: SignInService) {}

  /** Begins to sign in with a company's provider. The browser goes to `url`, and the provider sends it back to the console. */
  @PostOk('begin')
  async begin(
    @Body() body: BeginSignInBody,
    @Ip() address: string,
    @Headers('user-agent') agent = '',
  ): Promise<SignInBegunResponse> {
    return ok('sign-in begun', await this.signIns.begin(whoFrom(body), { address, agent }));
  }

  /** Opens a session with what the provider answered. It works once, in the browser that began. */
  @PostOk('finish')
  @ApiForbiddenResponse({ description: 'The provider, the company or a check refuses; the message says why.' })
  async finish(
    @Body() body: FinishSignInBody,
    @Ip() address: string,
    @Headers('user-agent') agent = '',
  ): Promise<LoginResponse> {
    const signedIn = await this.signIns.finish(answerFrom(body), body.browser, { address, agent });
    return ok('login successful', loginView(signedIn));
  }
}
