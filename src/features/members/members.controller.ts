import { Body, Controller, Delete, Get, Ip, Param, Patch, Query } from '@nestjs/common';
import { ApiConflictResponse, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import { Access, KeyScope, PostOk } from '../../http/access.js';
import { CurrentUser, IdPipe, RequestedPage } from '../../http/parameters.js';
import { Envelope, ok, onWire } from '../../http/envelope.wire.js';
import type { InvitationId, UserId } from '../../shared/ids.js';
import type { Page } from '../../shared/page.js';
import type { Principal } from '../../shared/principal.js';
import { fullUser } from '../users/users.facade.js';
import { ForgottenPasswords, InvitationMails } from './invitation-mails.js';
import { InvitationsService, type MadeInvitation } from './invitations.service.js';
import { MembersService } from './members.service.js';
import {
  AcceptedResponse,
  acceptanceFrom,
  AcceptInvitationBody,
  ChangeMemberBody,
  ForgottenPasswordBody,
  InvitationMadeResponse,
  InvitationSeenResponse,
  InvitationsResponse,
  InvitationTokenBody,
  invitationView,
  InviteBody,
  memberChangeFrom,
  MemberResponse,
  openInvitationView,
  RemoveMemberParameters,
} from './members.wire.js';

@ApiTags('Members')
@Access('manager')
@KeyScope('none')
@Controller('secure')
export class MembersController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly members: MembersService,
    private readonly mails: InvitationMails,
  ) {}

  /** Makes a link with which one person joins the company, once, within 7 days. An older link for the same address ends. It is mailed where the service can. */
  @PostOk('invitation')
  @ApiConflictResponse({ description: 'The address has an account in the company, or too many invitations are open.' })
  async invite(@CurrentUser() user: Principal, @Body() { email, role }: InviteBody): Promise<InvitationMadeResponse> {
    return this.made(await this.invitations.invite(user, email, role));
  }

  /** The open invitations of the company, newest first. What their links hold is not said again; how their mails stand is. */
  @Get('invitation/list')
  async list(@CurrentUser() user: Principal, @RequestedPage() page: Page): Promise<InvitationsResponse> {
    const { entries, total } = await this.invitations.open(user, page);
    const mails = await this.mails.about(user, entries);
    const invitations = entries.map((each) => openInvitationView(each, mails.get(each.id) ?? []));
    return ok('invitations retrieved', { invitations, total });
  }

  /** Revokes an invitation. Its link is worth nothing from now on. */
  @Delete('invitation/:id')
  async revoke(@CurrentUser() user: Principal, @Param('id', IdPipe) id: InvitationId): Promise<Envelope> {
    await this.invitations.revoke(user, id);
    return ok('invitation revoked');
  }

  /** Changes somebody's role, or blocks them or lets them in again. Who is blocked or gets another role is signed out everywhere. */
  @Patch('user/:id')
  @ApiConflictResponse({ description: 'The caller’s own account, or the last manager.' })
  async change(
    @CurrentUser() user: Principal,
    @Param('id', IdPipe) id: UserId,
    @Body() body: ChangeMemberBody,
  ): Promise<MemberResponse> {
    return ok('user changed', { user: fullUser(await this.members.change(user, id, memberChangeFrom(body))) });
  }

  /** Removes somebody's account, their sessions and conversations. What they made for the company stays. With `erase` their keys and unused uploads go, too, and the audit log forgets who they were and what they asked. */
  @Delete('user/:id')
  @ApiConflictResponse({ description: 'The caller’s own account, or the last manager.' })
  async remove(
    @CurrentUser() user: Principal,
    @Param('id', IdPipe) id: UserId,
    @Query() { erase }: RemoveMemberParameters,
  ): Promise<Envelope> {
    await this.members.remove(user, id, erase === 'true');
    return ok('user removed');
  }

  /** Makes a link with which somebody sets a new password, once, within 7 days. Until then the old one holds. It is mailed where the service can. */
  @PostOk('user/:id/reset')
  async reset(@CurrentUser() user: Principal, @Param('id', IdPipe) id: UserId): Promise<InvitationMadeResponse> {
    return this.made(await this.members.reset(user, id));
  }

  private async made(made: MadeInvitation): Promise<InvitationMadeResponse> {
    const mailed = await this.mails.send(made);
    return ok('invitation made', { invitation: invitationView(made.invitation), token: made.token, mailed });
  }
}

/** For whoever holds a link. The token comes in the body, so that it stands in no log. */
@ApiTags('Members')
@Access('public')
@KeyScope('none')
@Controller('invitation')
export class InvitationController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly members: MembersService,
  ) {}

  /** What a link is for. It is not used up by this. */
  @PostOk('look')
  async look(@Body() { token }: InvitationTokenBody): Promise<InvitationSeenResponse> {
    const { invitation, company } = await this.invitations.look(token);
    const seen = onWire(invitation, 'purpose', 'email', 'expiresAt');
    return ok('invitation retrieved', { invitation: { ...seen, company } });
  }

  /** Joins the company with a password of one's own, or sets a new one. Sign in with `POST login` afterwards. */
  @PostOk('accept')
  @ApiConflictResponse({ description: 'The address has got an account meanwhile.' })
  async accept(@Body() body: AcceptInvitationBody): Promise<AcceptedResponse> {
    const { email } = await this.members.accept(body.token, acceptanceFrom(body));
    return ok('invitation accepted', { email });
  }
}

/** For whoever can't sign in. */
@ApiTags('Sessions')
@Access('public')
@KeyScope('none')
@Controller('forgotten-password')
export class ForgottenPasswordController {
  constructor(private readonly forgotten: ForgottenPasswords) {}

  /** Mails a link for a new password to whoever has an account. It works once, for an hour. Nobody is told whether there is an account. */
  @PostOk()
  @ApiServiceUnavailableResponse({ description: 'The service sends no mail.' })
  async ask(@Body() { email }: ForgottenPasswordBody, @Ip() address: string): Promise<Envelope> {
    await this.forgotten.ask(email, address);
    return ok('if there is an account with this address, a mail is on its way');
  }
}
