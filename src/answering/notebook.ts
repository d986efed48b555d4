import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import type { AnswerData, AnswerSource } from '../ports/assistant-answer.js';
import type { CompanyId } from '../shared/ids.js';
import type { JsonObject, JsonPrimitive } from '../shared/json.js';
import { inert, inline } from '../shared/markdown.js';
import { ChartImages, PICTURE_ADDRESS, picturesIn } from './chart-images.js';

/** A part of a notebook: what was asked or done, what came of it, and on what it rests. */
export interface NotebookPart {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
  /** Empty if none. */
  readonly query: string;
  readonly data: AnswerData | null;
  /** Rows that the query gave; `data` may have the first of them alone. */
  readonly rowsReturned: number;
  /** What the text cites by numbers. */
  readonly sources: readonly AnswerSource[];
  /** File name of the chart's image; empty if none. */
  readonly visualization: string;
}

export interface WrittenNotebook {
  readonly title: string;
  readonly notebook: Buffer;
}

/** Writes what was answered as a Jupyter notebook (nbformat 4.5): texts, queries, figures as tables and charts as pictures. */
@Injectable()
export class Notebooks {
  constructor(private readonly charts: ChartImages) {}

  /** @throws AppError `unavailable` when a chart can't be drawn now. */
  async write(companyId: CompanyId, title: string, parts: readonly NotebookPart[]): Promise<WrittenNotebook> {
    const cells: JsonObject[] = [markdown(`# ${inline(title, Infinity)}`)];
    for (const part of parts) {
      const words = [`## ${inline(part.title, Infinity)}`, part.text, ...part.sources.map(sourceText)];
      cells.push(await this.textCell(companyId, words.join('\n\n').trim()));
      const picture = await this.pictureOf(companyId, part.visualization);
      const outputs = [
        ...(part.data === null ? [] : [shown(tableOf(part.data, part.rowsReturned))]),
        ...(picture === null ? [] : [shown({ 'image/png': picture })]),
      ];
      if (part.query !== '' || outputs.length > 0) {
        cells.push({ cell_type: 'code', execution_count: null, metadata: {}, source: part.query, outputs });
      }
    }
    const notebook = {
      cells: cells.map((cell, index) => ({ id: `cell-${index + 1}`, ...cell })),
      metadata: { language_info: { name: 'sql', mimetype: 'text/x-sql', file_extension: '.sql' }, title },
      nbformat: 4,
      nbformat_minor: 5,
    };
    return { title, notebook: Buffer.from(`${JSON.stringify(notebook, null, 1)}\n`) };
  }

  /** Pictures within a text are kept in its cell: their addresses are known to the service alone. */
  private async textCell(companyId: CompanyId, text: string): Promise<JsonObject> {
    const attachments: Record<string, JsonObject> = {};
    for (const name of picturesIn(text)) {
      const picture = await this.pictureOf(companyId, name);
      if (picture !== null) attachments[name] = { 'image/png': picture };
    }
    const cell = markdown(text.replace(PICTURE_ADDRESS, 'attachment:$1'));
    return Object.keys(attachments).length === 0 ? cell : { ...cell, attachments };
  }

  /** In base64. A chart that is not there any more is left out. */
  private async pictureOf(companyId: CompanyId, name: string): Promise<string | null> {
    const picture = name === '' ? null : await this.charts.picture(companyId, name);
    return picture === null ? null : (await buffer(picture.png)).toString('base64');
  }
}

/** A dollar sign is one: between two of them Jupyter would set a formula. */
function markdown(source: string): JsonObject {
  const said = source.replace(CODE_OR_DOLLAR, (found) => (found === '$' ? '&#36;' : found));
  return { cell_type: 'markdown', metadata: {}, source: said };
}

const CODE_OR_DOLLAR = /(`+)[^`]+\1|\$/g;

function sourceText({ filename, page, quote }: AnswerSource, index: number): string {
  const place = page === null ? '' : `, page ${page}`;
  return [
    `\\[${index + 1}\\] ${inert(filename)}${place}`,
    '',
    ...quote.split('\n').map((line) => inert(line, Infinity)),
  ].join('\n> ');
}

function shown(data: JsonObject): JsonObject {
  return { output_type: 'display_data', metadata: {}, data };
}

function tableOf({ columns, rows }: AnswerData, all: number): JsonObject {
  const head = columns.map((name) => `<th>${htmlText(name)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${htmlText(textOf(cell))}</td>`).join('')}</tr>`);
  const left = all > rows.length ? [`The first ${rows.length} rows; there are more.`] : [];
  const lines = [columns, ...rows].map((row) => row.map((cell) => inOneLine(textOf(cell))).join('\t'));
  return {
    'text/html': `<table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table>${left.join('')}`,
    'text/plain': [...lines, ...left].join('\n'),
  };
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Times as the query itself would print them. */
function textOf(cell: JsonPrimitive): string {
  if (cell === null) return '';
  if (typeof cell !== 'string' || !TIME.test(cell)) return String(cell);
  return cell
    .slice(0, -1)
    .replace('T', ' ')
    .replace(/(?: 00:00:00)?\.000$/, '');
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function htmlText(text: string): string {
  return text.replace(/[&<>]/g, (sign) => MARKUP[sign] ?? sign);
}
