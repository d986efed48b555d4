import { Injectable } from '@nestjs/common';
import { MOST_PICTURES } from '../../answering/answer-mail.js';
import { ChartImages, pictureText } from '../../answering/chart-images.js';
import { Clock } from '../../ports/clock.js';
import { JobQueue } from '../../ports/job-queue.js';
import type { JobPayloads } from '../../ports/jobs.js';
import { Log } from '../../ports/log.js';
import type { Cell } from '../../ports/table.js';
import { JobProcessor } from '../../queue/job-processor.js';
import { TurnReconciler } from '../../queue/reconciler.js';
import { AppError } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import { bullets, inert, paragraphs, tableOf } from '../../shared/markdown.js';
import { numberWords } from '../../shared/number-words.js';
import { aheadOf, turnAfter } from '../../shared/planned-turns.js';
import { RecipientsFacade } from '../deliveries/mail.facade.js';
import { UsersFacade } from '../users/users.facade.js';
import { BoardFigures, type ShownFigure } from './board-figures.js';
import { type Board, type FigureTile, mailName, type Stretch } from './board.schema.js';
import { BoardsRepository } from './boards.repository.js';

const MOST_ROWS = 20;
/** Of one row, shown as figures and not as a table. */
const MOST_FIGURES = 3;
const LONGEST_TITLE = 200;
const LONGEST_CELL = 100;
const A_CHART = 'chart of a board';
const UNSENT = {
  no_server: 'This service has no mail server any more.',
  nobody: 'None of those who are named can be written to any more.',
} as const;

/** Mails a board as it is now to those whom it names: for one planned time once, however often it is asked to. */
@Injectable()
export class BoardMail {
  constructor(
    private readonly figures: BoardFigures,
    private readonly charts: ChartImages,
    private readonly recipients: RecipientsFacade,
    boards: BoardsRepository,
  ) {
    recipients.keptIn(boards, (board, notifyEmails) => boards.swap(board, {}, { notifyEmails }));
  }

  /** Null, or the sentence that says why nothing was sent. @throws AppError `unavailable` when trying again may help. */
  async send(board: Board, planned: Date): Promise<string | null> {
    const { companyId, id, title, notifyEmails: to } = board;
    const unsent = await this.recipients.report({
      companyId,
      to,
      subject: title,
      event: 'board.mail',
      about: mailName(id, planned),
      markdown: () => this.markdownOf(board),
      link: { label: 'Open the board', path: `/boards/${id}` },
    });
    if (unsent instanceof AppError) return `The last mail was not sent: ${unsent.message}.`;
    return unsent === null ? null : UNSENT[unsent];
  }

  /** From left to right and down. The first charts are pictures, and further ones tables. @throws AppError `unavailable`, `rate_limited` */
  private async markdownOf(board: Board): Promise<string> {
    const parts: string[] = [];
    let pictures = 0;
    for (const tile of board.tiles.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
      if (tile.kind === 'note') {
        parts.push(tile.text);
        continue;
      }
      const shown = await this.figures.now(board, tile, { own: null, isPatient: true });
      const picture = pictures < MOST_PICTURES ? await this.picture(board.companyId, tile, shown) : null;
      if (picture !== null) pictures += 1;
      parts.push(`## ${inert(tile.title, LONGEST_TITLE)}`, picture ?? bodyOf(shown), footOf(shown));
    }
    return paragraphs([`# ${inert(board.title, LONGEST_TITLE)}`, inert(board.notes, 5_000), ...parts]);
  }

  /** Null where there is nothing to draw. What nobody shows is removed by itself. */
  private async picture(companyId: CompanyId, { title }: FigureTile, shown: ShownFigure): Promise<string | null> {
    if (shown.kind === 'problem' || shown.result.chart === null) return null;
    const name = await this.charts.keepDrawable(companyId, shown.result.chart);
    return pictureText({ title: title === '' ? A_CHART : title, filename: name }, LONGEST_TITLE);
  }
}

function bodyOf(shown: ShownFigure): string {
  if (shown.kind === 'problem') return inert(shown.problem, 500);
  const { columns, rows } = shown.result.data;
  const [first] = rows;
  if (first === undefined) return 'No rows match.';
  if (rows.length === 1 && first.length <= MOST_FIGURES)
    return bullets(columns.map((name, at) => `${inert(name, LONGEST_CELL)}: **${cellText(first[at] ?? null)}**`));
  const numbers = columns.map((_, at) => rows.every((row) => row[at] === null || typeof row[at] === 'number'));
  const head = columns.map((name) => inert(name, LONGEST_CELL));
  return tableOf(
    head,
    rows.slice(0, MOST_ROWS).map((row) => row.map(cellText)),
    numbers,
  );
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

function cellText(cell: Cell): string {
  if (cell === null) return '–';
  if (typeof cell === 'number') return numberWords(cell);
  return inert(typeof cell === 'string' && TIME.test(cell) ? timeText(cell) : String(cell), LONGEST_CELL);
}

/** `2024-03-01`, or `2024-03-01 12:30`. */
function timeText(iso: string): string {
  return iso.includes('T00:00:00') ? iso.slice(0, 10) : iso.slice(0, 16).replace('T', ' ');
}

/** What is not as the title says. */
function footOf(shown: ShownFigure): string {
  if (shown.kind === 'problem') return '';
  const { chart, rows, unfiltered, stretch } = shown.result;
  const told = [
    ...(chart === null && rows > MOST_ROWS ? [`The first ${MOST_ROWS} of ${numberWords(rows)} rows.`] : []),
    ...(stretch === undefined ? [] : [stretchText(stretch)]),
    ...(unfiltered.length === 0 ? [] : [`Not filtered by ${unfiltered.map((name) => inert(name)).join(', ')}.`]),
  ];
  return told.join(' ');
}

/** Both ends are said as they are read: the end is the first moment that is not shown. */
function stretchText({ from, to }: Stretch): string {
  if (from === null) return `Before ${timeText(to ?? '')}.`;
  if (to === null) return `From ${timeText(from)}.`;
  return `From ${timeText(from)} to before ${timeText(to)}, UTC.`;
}

const DUE_AT_ONCE = 1_000;
const SETTER_LEFT = 'Paused: whoever set this schedule is no longer in the company. Set it again to resume.';
const FAILED = 'The last mail could not be made. The reason is in the log of the service.';

/** Asks every second for the mails of boards whose time has come. */
@Injectable()
export class BoardMailReconciler extends TurnReconciler {
  protected override readonly failure = 'boards that are to be mailed could not be looked up';

  constructor(
    private readonly boards: BoardsRepository,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** Times that were missed are one: the next is where it would have been. */
  override async look(): Promise<void> {
    const due = { nextMailAt: { lte: this.clock.now() } };
    const boards = await this.boards.anywhere(due, { sort: [['nextMailAt', 'asc']], limit: DUE_AT_ONCE });
    for (const { id, companyId } of boards) {
      await this.jobs.enqueue('board.mail', id, { companyId, boardId: id });
    }
  }

  /** Brings back what a clock far ahead has sent into the future. */
  override async reconcile(): Promise<void> {
    const now = this.clock.now();
    for (const board of await this.boards.anywhere({ mailScheduledAt: aheadOf(now) })) {
      const { nextMailAt, mailAt } = board;
      const next = nextMailAt === null || mailAt === null ? null : turnAfter(now, nextMailAt, mailAt);
      await this.boards.swap(board, { nextMailAt }, { nextMailAt: next, mailScheduledAt: now });
    }
  }
}

/** Mails a board whose time has come. Whoever comes second for the same time orders nothing, and moves nothing on. */
@Injectable()
export class BoardMailProcessor extends JobProcessor<'board.mail'> {
  override readonly job = 'board.mail';

  constructor(
    private readonly boards: BoardsRepository,
    private readonly mail: BoardMail,
    private readonly users: UsersFacade,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
  }

  override async run(payload: JobPayloads['board.mail']): Promise<void> {
    const due = await this.dueOf(payload);
    if (due === null) return;
    if (!(await this.isSetterHere(due.board))) {
      const paused = { mailEnabled: false, nextMailAt: null, mailScheduledAt: null, mailNote: SETTER_LEFT };
      await this.boards.swap(due.board, { nextMailAt: due.planned }, paused);
      return;
    }
    await this.moveOn(due, await this.mail.send(due.board, due.planned));
  }

  /** The next time is tried anew. */
  override async giveUp(payload: JobPayloads['board.mail'], error: Error): Promise<void> {
    const { companyId, boardId } = payload;
    this.log.warn('a board could not be mailed', { companyId, boardId, reason: error.message });
    const due = await this.dueOf(payload);
    if (due !== null) await this.moveOn(due, FAILED);
  }

  private async dueOf({ companyId, boardId }: JobPayloads['board.mail']): Promise<Due | null> {
    const board = await this.boards.find(companyId, boardId);
    const planned = board?.nextMailAt ?? null;
    return board === null || planned === null || planned > this.clock.now() ? null : { board, planned };
  }

  private async isSetterHere({ companyId, mailSetBy }: Board): Promise<boolean> {
    return mailSetBy !== null && (await this.users.find(companyId, mailSetBy))?.isActive === true;
  }

  private async moveOn({ board, planned }: Due, mailNote: string | null): Promise<void> {
    const now = this.clock.now();
    const nextMailAt = board.mailAt === null ? null : turnAfter(now, planned, board.mailAt);
    await this.boards.swap(
      board,
      { nextMailAt: planned },
      { nextMailAt, mailScheduledAt: now, lastMailAt: planned, mailNote },
    );
  }
}

interface Due {
  readonly board: Board;
  readonly planned: Date;
}
