import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiConflictResponse, ApiForbiddenResponse, ApiTags } from '@nestjs/swagger';
import { Access, KeyScope, PostOk } from '../../http/access.js';
import { CurrentUser, IdPipe, RequestedPage } from '../../http/parameters.js';
import { Envelope, ok } from '../../http/envelope.wire.js';
import { PermanentParameter } from '../../http/permanent.wire.js';
import type { BoardId, TileId } from '../../shared/ids.js';
import type { Page } from '../../shared/page.js';
import type { Principal } from '../../shared/principal.js';
import { BoardRecords } from './board-records.js';
import { BoardsService } from './boards.service.js';
import {
  boardDraftFrom,
  boardEditFrom,
  BoardResponse,
  boardSummary,
  BoardsResponse,
  boardView,
  BoardViewBody,
  boardViewFrom,
  ChangeBoardBody,
  ChangeTileBody,
  CreateBoardBody,
  FigureResponse,
  figureView,
  PinBody,
  pinDraftFrom,
  tileEditFrom,
  TileResponse,
  tileView,
} from './boards.wire.js';

const NOT_YOURS = { description: 'The board was made by somebody else, and the caller is no manager.' };

@ApiTags('Boards')
@Access('user')
@Controller('secure/board')
export class BoardsController {
  constructor(
    private readonly boards: BoardsService,
    private readonly records: BoardRecords,
  ) {}

  /** The boards of the company, last changed first. Everybody in it sees them all. */
  @Get('list')
  async list(@CurrentUser() user: Principal, @RequestedPage() page: Page): Promise<BoardsResponse> {
    const { entries, total } = await this.records.list(user, page);
    return ok('boards retrieved', { boards: entries.map(boardSummary), total });
  }

  /** Makes an empty board. Everybody of the company sees it; whoever made it and managers change it. */
  @PostOk()
  @ApiConflictResponse({ description: 'The company has too many boards.' })
  async create(@CurrentUser() user: Principal, @Body() body: CreateBoardBody): Promise<BoardResponse> {
    const board = await this.records.create(user, boardDraftFrom(body));
    return ok('board created', { board: boardView({ board, figures: new Map(), mails: [] }) });
  }

  /** A board with its figures as they were read last. Those that are not current are read anew one by one. */
  @Get(':id')
  async get(@CurrentUser() user: Principal, @Param('id', IdPipe) id: BoardId): Promise<BoardResponse> {
    return ok('board retrieved', { board: boardView(await this.boards.open(user, id)) });
  }

  /** Changes what is given: words, view, refreshing, mails at times of the week, and where tiles lie. What is left out stays. */
  @Patch(':id')
  @ApiForbiddenResponse(NOT_YOURS)
  async change(
    @CurrentUser() user: Principal,
    @Param('id', IdPipe) id: BoardId,
    @Body() body: ChangeBoardBody,
  ): Promise<BoardResponse> {
    await this.boards.change(user, id, boardEditFrom(body));
    return ok('board updated', { board: boardView(await this.boards.open(user, id)) });
  }

  /** Deletes a board with its tiles. Who may can restore it for 30 days unless `permanent` is sent; meanwhile links to it show nothing. */
  @Delete(':id')
  @ApiForbiddenResponse(NOT_YOURS)
  async remove(
    @CurrentUser() user: Principal,
    @Param('id', IdPipe) id: BoardId,
    @Query() { permanent }: PermanentParameter,
  ): Promise<Envelope> {
    await this.records.delete(user, id, permanent === 'true');
    return ok('board deleted');
  }

  /** Puts a note, an answer of one's own or a plan on a board. It lies where there is room first. */
  @PostOk(':id/tile')
  @ApiForbiddenResponse(NOT_YOURS)
  @ApiConflictResponse({ description: 'The board is full.' })
  async pin(
    @CurrentUser() user: Principal,
    @Param('id', IdPipe) id: BoardId,
    @Body() body: PinBody,
  ): Promise<TileResponse> {
    return ok('tile added', { tile: tileView(await this.boards.pin(user, id, pinDraftFrom(body)), null) });
  }

  /** Changes the title of a figure, or the text of a note. What does not belong to the tile is passed over. */
  @Patch(':id/tile/:tile')
  @ApiForbiddenResponse(NOT_YOURS)
  async changeTile(
    @CurrentUser() user: Principal,
    @Param('id', IdPipe) id: BoardId,
    @Param('tile', IdPipe) tileId: TileId,
    @Body() body: ChangeTileBody,
  ): Promise<TileResponse> {
    const tile = await this.boards.changeTile(user, { id, tileId }, tileEditFrom(body));
    return ok('tile updated', { tile: tileView(tile, null) });
  }

  /** Takes a tile from a board. The answer that it came from stays. */
  @Delete(':id/tile/:tile')
  @ApiForbiddenResponse(NOT_YOURS)
  async removeTile(
    @CurrentUser() user: Principal,
    @Param('id', IdPipe) id: BoardId,
    @Param('tile', IdPipe) tileId: TileId,
  ): Promise<Envelope> {
    await this.boards.removeTile(user, { id, tileId });
    return ok('tile removed');
  }

  /** One figure with the rows as they are now, through the board's view or one of the caller's own. Only the board's is kept. */
  @PostOk(':id/tile/:tile/figure')
  @KeyScope('read')
  async figure(
    @CurrentUser() user: Principal,
    @Param('id', IdPipe) id: BoardId,
    @Param('tile', IdPipe) tileId: TileId,
    @Body() body: BoardViewBody,
  ): Promise<FigureResponse> {
    const figure = await this.boards.figure(user, { id, tileId }, { own: boardViewFrom(body), isPatient: false });
    return ok('figure retrieved', { figure: figureView(figure) });
  }
}
