import { Body, Controller, Delete, Get, Ip, Param } from '@nestjs/common';
import { ApiConflictResponse, ApiForbiddenResponse, ApiTags } from '@nestjs/swagger';
import { Access, KeyScope, PostOk } from '../../http/access.js';
import { CurrentUser, IdPipe, RequestedPage } from '../../http/parameters.js';
import { Envelope, ok } from '../../http/envelope.wire.js';
import type { ShareLinkId } from '../../shared/ids.js';
import type { Page } from '../../shared/page.js';
import type { Principal } from '../../shared/principal.js';
import { FigureResponse, figureView } from './boards.wire.js';
import { SharedThings, ShareLinksService } from './share-links.service.js';
import {
  discreet,
  LinkMadeResponse,
  linkView,
  LookBody,
  LookFigureBody,
  MakeLinkBody,
  SharedResponse,
  sharedThingFrom,
  sharedView,
  ShareLinksResponse,
} from './share-links.wire.js';

@ApiTags('Boards')
@Access('user')
@KeyScope('none')
@Controller('secure/share')
export class ShareLinksController {
  constructor(private readonly links: ShareLinksService) {}

  /** Makes a link that shows a board, or an answer of one's own, to whoever has it. It changes nothing and ends by itself. */
  @PostOk()
  @ApiForbiddenResponse({ description: 'The board was made by somebody else, and the caller is no manager.' })
  @ApiConflictResponse({ description: 'Too many links are open.' })
  async make(@CurrentUser() user: Principal, @Body() body: MakeLinkBody): Promise<LinkMadeResponse> {
    const { link, token } = await this.links.make(user, sharedThingFrom(body), body.days);
    return ok('link made', { link: linkView(link), token });
  }

  /** The caller's open links, newest first; for managers those of the company. What they hold is not said again. */
  @Get('list')
  async list(@CurrentUser() user: Principal, @RequestedPage() page: Page): Promise<ShareLinksResponse> {
    const { entries, total } = await this.links.open(user, page);
    return ok('links retrieved', { links: entries.map(linkView), total });
  }

  /** Revokes a link of one's own; managers any of the company. It shows nothing from then on. */
  @Delete(':id')
  async revoke(@CurrentUser() user: Principal, @Param('id', IdPipe) id: ShareLinkId): Promise<Envelope> {
    await this.links.revoke(user, id);
    return ok('link revoked');
  }
}

/** For whoever holds a link. The token comes in the body, so that it stands in no log. */
@ApiTags('Boards')
@Access('public')
@KeyScope('none')
@Controller('shared')
export class SharedController {
  constructor(private readonly shared: SharedThings) {}

  /** What a link shows: a board with its figures as they were read last, or an answer. Nothing else can be reached with it. */
  @PostOk('look')
  async look(@Body() { token }: LookBody, @Ip() address: string): Promise<SharedResponse> {
    return ok('shared page retrieved', sharedView(await this.shared.look(token, address)));
  }

  /** One figure of a shared board with the rows as they are now, or were within the last minute. It is looked at as the board is. */
  @PostOk('figure')
  async figure(@Body() { token, tile_id: tile }: LookFigureBody, @Ip() address: string): Promise<FigureResponse> {
    const figure = await this.shared.figure(token, tile, address);
    return ok('figure retrieved', { figure: figureView(discreet(figure)) });
  }
}
