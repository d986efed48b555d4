import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { micromark } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';
import type { MailAttachment, MailMessage } from '../ports/mailer.js';
import type { CompanyId } from '../shared/ids.js';
import { ChartImages, picturesIn } from './chart-images.js';

/** In a mail. */
export const MOST_PICTURES = 10;
/** Of all pictures of a mail; more are named alone. */
const MOST_BYTES = 3 * 1024 * 1024;

const MARKDOWN_PICTURE = /!\[((?:\\.|[^\]\\])*)\]\([^)]*\)/g;
const HTML_PICTURE = /<img src="([^"]*)" alt="([^"]*)"[^>]*>/g;
/** Where a link of somebody else's text leads, nobody has looked at. */
const HTML_LINK = /<\/?a\b[^>]*>/g;

const STYLE = `body{font:15px/1.5 system-ui,-apple-system,Segoe UI,Roboto,sans-serif;color:#1c2430;max-width:720px;margin:0 auto;padding:16px}
table{border-collapse:collapse;margin:12px 0}th,td{border-bottom:1px solid #d8dde5;padding:4px 12px 4px 0;text-align:left}
img{max-width:100%;height:auto}h1{font-size:20px}h2{font-size:17px}.quiet{color:#5c6675;font-size:13px}`;

export interface AnswerText {
  /** Charts stand in it as `![title](/api/v1/secure/assistant/visualizations/<file name>)`. */
  readonly markdown: string;
  /** File names of charts that stand below the text, if they don't stand in it. */
  readonly charts: readonly string[];
  /** What the mail leads to; null: nobody said where the console is. */
  readonly link: { readonly label: string; readonly url: string } | null;
}

type Written = Pick<MailMessage, 'text' | 'attachments'> & { readonly html: string };

/** Writes answers as mail: text, and HTML with the charts in it as pictures. Nothing in it is fetched from anywhere. */
@Injectable()
export class AnswerMails {
  constructor(private readonly charts: ChartImages) {}

  async write(companyId: CompanyId, { markdown, charts, link }: AnswerText): Promise<Written> {
    const inText = picturesIn(markdown);
    const below = charts.filter((name) => name !== '' && !inText.includes(name));
    const attachments = await this.pictures(companyId, [...new Set([...inText, ...below])]);
    const known = new Set(attachments.map(({ filename }) => filename));
    const shown = below.filter((name) => known.has(name)).map((name) => `<p><img src="cid:${name}" alt="Chart"></p>`);
    const written = micromark(markdown, { extensions: [gfmTable()], htmlExtensions: [gfmTableHtml()] })
      .replace(HTML_LINK, '')
      .replace(HTML_PICTURE, (_image, src: string, title: string) => pictureHtml(src, title, known));
    const linked = link === null ? '' : `<p class="quiet"><a href="${encodeURI(link.url)}">${link.label}</a></p>`;
    return {
      text: `${plainText(markdown)}${link === null ? '' : `\n\n${link.label}: ${link.url}`}\n`,
      html: page(written + shown.join('\n') + linked),
      attachments,
    };
  }

  /** As many as fit; one that is gone, or can't be drawn now, is left out. */
  private async pictures(companyId: CompanyId, names: readonly string[]): Promise<readonly MailAttachment[]> {
    const kept: MailAttachment[] = [];
    let bytes = 0;
    for (const name of names.slice(0, MOST_PICTURES)) {
      const picture = await this.charts.picture(companyId, name).catch(() => null);
      if (picture === null || bytes + picture.bytes > MOST_BYTES) continue;
      bytes += picture.bytes;
      kept.push({ filename: name, type: 'image/png', content: await buffer(picture.png), cid: name });
    }
    return kept;
  }
}

function pictureHtml(src: string, title: string, known: ReadonlySet<string>): string {
  const [name = ''] = picturesIn(src);
  return known.has(name) ? `<img src="cid:${name}" alt="${title}">` : `<em>${title}</em>`;
}

function plainText(markdown: string): string {
  return markdown
    .replace(MARKDOWN_PICTURE, '[$1]')
    .replace(/\\([\\`*_[\]<>|~!&#+-])/g, '$1')
    .trim();
}

function page(body: string): string {
  return `<!doctype html><html><head><meta charset="utf-8"><style>${STYLE}</style></head><body>${body}</body></html>`;
}
