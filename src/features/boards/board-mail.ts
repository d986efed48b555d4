import { Injectable } from '@nestjs/common';
import { AnswerMails, MOST_PICTURES } from '../../answering/answer-mail.js';
import { ChartImages } from '../../answering/chart-images.js';
import { AppConfig } from '../../config/app-config.js';
import type { Cell } from '../../ports/table.js';
import { AppError, isAppError } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import { bullets, inert, paragraphs, tableOf } from '../../shared/markdown.js';
import { numberWords } from '../../shared/number-words.js';
import { MailFacade } from '../deliveries/mail.facade.js';
import { RecipientsFacade } from '../deliveries/recipients.facade.js';
import type { Board, FigureTile, Stretch } from './board.schema.js';
import { BoardFigures, type ShownFigure } from './board-figures.js';

const MOST_ROWS = 20;
/** Of one row, shown as figures and not as a table. */
const MOST_FIGURES = 3;
const LONGEST_TITLE = 200;
const LONGEST_CELL = 100;
const A_CHART = 'chart of a board';

/** Writes a board as Markdown, with the figures as they are now. */
@Injectable()
export class BoardLetters {
  constructor(
    private readonly figures: BoardFigures,
    private readonly charts: ChartImages,
  ) {}

  /** From left to right and down. The first charts are pictures, and further ones tables. @throws AppError `unavailable`, `rate_limited` */
  async write(board: Board): Promise<string> {
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
    return `![${inert(title === '' ? A_CHART : title, LONGEST_TITLE)}](/api/v1/secure/assistant/visualizations/${name})`;
  }
}

/** Mails a board to those whom it names: for one planned time once, however often it is asked to. */
@Injectable()
export class BoardMail {
  constructor(
    private readonly letters: BoardLetters,
    private readonly mail: MailFacade,
    private readonly recipients: RecipientsFacade,
    private readonly mails: AnswerMails,
    private readonly config: AppConfig,
  ) {}

  /** Null, or the sentence that says why nothing was sent. @throws AppError `unavailable` when trying again may help. */
  async send(board: Board, planned: Date): Promise<string | null> {
    const { companyId, id, title } = board;
    if (!this.mail.available) return 'This service has no mail server any more.';
    const to = await this.recipients.addressesOf(companyId, board.notifyEmails);
    if (to.length === 0) return 'None of those who are named can be written to any more.';
    const { publicUrl } = this.config.server;
    const letter = await this.mails.write(companyId, {
      markdown: await this.letters.write(board),
      charts: [],
      link: publicUrl === null ? null : { label: 'Open the board', url: `${publicUrl}/boards/${id}` },
    });
    const about = `${id} ${planned.toISOString()}`;
    try {
      await this.mail.send({ companyId, to, subject: title, ...letter, event: 'board.mail', about });
    } catch (error) {
      if (!isAppError(error) || error.kind === 'unavailable') throw error;
      return sentenceOf(error);
    }
    return null;
  }
}

function sentenceOf({ message }: AppError): string {
  return `The last mail was not sent: ${message}.`;
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
