import { StringDecoder } from 'node:string_decoder';
import { SaxesParser } from 'saxes';
import { isAppError } from '../../shared/app-error.js';
import { refused } from './entry-rules.js';
import { DAY_MS } from '../../shared/durations.js';

/** What of a part of a workbook is heard of, element by element; names are without their prefixes. */
export interface PartHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/**
 * Reads a part of a workbook, piece by piece. After each it can be waited for what was found in it; false: the rest is of no interest.
 *
 * @throws AppError `invalid_input` when it is no XML, or has a document type, which could define entities.
 */
export async function readPart(
  content: AsyncIterable<Buffer>,
  handler: PartHandler,
  onPiece: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  const parser = parserOf(handler);
  const decoder = new StringDecoder('utf8');
  try {
    for await (const piece of content) {
      parser.write(decoder.write(piece));
      if (!(await onPiece())) return;
    }
    parser.write(decoder.end()).close();
    await onPiece();
  } catch (error) {
    if (isAppError(error) || !(error instanceof XmlError)) throw error;
    throw refused('the workbook is damaged: a part of it is no XML', error);
  }
}

class XmlError extends Error {}

const DEEPEST = 100;

function parserOf(handler: PartHandler): SaxesParser {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  parser.on('error', (error) => {
    throw new XmlError(error.message);
  });
  parser.on('doctype', () => {
    throw refused('the workbook has a document type declaration, which is not read');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > DEEPEST) throw refused('the workbook is nested too deeply');
    handler.open(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    depth--;
    handler.close?.(localName(name));
  });
  for (const event of ['text', 'cdata'] as const) parser.on(event, (text) => handler.text?.(text));
  return parser;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

const MOST_TEXT = 256 * 1024 ** 2;
const MOST_TEXTS = 20_000_000;

/** The texts of a workbook's cells, one behind the other as bytes: as strings millions of them would take many times that. */
export class SharedTexts {
  private bytes = Buffer.allocUnsafe(64 * 1024);
  private length = 0;
  private ends = new Uint32Array(1024);
  private count = 0;

  static async read(content: AsyncIterable<Buffer>): Promise<SharedTexts> {
    const texts = new SharedTexts();
    let found = '';
    // Readings of Asian characters stand beside them.
    let [isText, isReading] = [false, false];
    await readPart(content, {
      open: (name) => {
        if (name === 'si') found = '';
        if (name === 'rPh') isReading = true;
        isText = name === 't' && !isReading;
      },
      text: (piece) => {
        if (isText) found += piece;
      },
      close: (name) => {
        if (name === 't') isText = false;
        if (name === 'rPh') isReading = false;
        if (name === 'si') texts.add(unescaped(found));
      },
    });
    return texts;
  }

  at(index: number): string {
    if (!(index >= 0 && index < this.count)) throw refused('the workbook is damaged: a text is missing');
    return this.bytes.toString('utf8', index === 0 ? 0 : this.ends[index - 1], this.ends[index]);
  }

  private add(text: string): void {
    const needed = this.length + Buffer.byteLength(text);
    if (needed > MOST_TEXT || this.count >= MOST_TEXTS) throw refused('the workbook has too much text in its cells');
    if (needed > this.bytes.length) {
      this.bytes = Buffer.concat([this.bytes], Math.max(needed, this.bytes.length * 2));
    }
    if (this.count === this.ends.length) {
      const longer = new Uint32Array(this.count * 2);
      longer.set(this.ends);
      this.ends = longer;
    }
    this.length += this.bytes.write(text, this.length);
    this.ends[this.count++] = this.length;
  }
}

/** Characters that XML can't have are written as their numbers. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** What a number in a cell stands for, as its format tells. */
export type NumberKind =
  | { readonly kind: 'number' }
  /** Shown with so many digits, zeros before it. */
  | { readonly kind: 'code'; readonly digits: number }
  | TimeKind;

interface TimeKind {
  readonly kind: 'time' | 'clock' | 'duration';
  readonly hasFractions: boolean;
}

const PLAIN: NumberKind = { kind: 'number' };
/** Formats that every program knows by their numbers, of western and Asian languages. */
const KNOWN: readonly (readonly [from: number, to: number, code: string])[] = [
  [14, 17, 'd'],
  [18, 21, 'h'],
  [22, 22, 'd h'],
  [27, 31, 'd'],
  [32, 35, 'h'],
  [36, 36, 'd'],
  [45, 45, 'm:s'],
  [46, 46, '[h]:m:s'],
  [47, 47, 'm:s.0'],
  [50, 58, 'd'],
];

/** The kinds of numbers by the styles of a workbook's cells. */
export async function readStyles(content: AsyncIterable<Buffer>): Promise<readonly NumberKind[]> {
  const codes = new Map<string, string>();
  const styles: NumberKind[] = [];
  let isOfCells = false;
  await readPart(content, {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      if (name === 'numFmt') codes.set(numFmtId, formatCode);
      if (name === 'cellXfs') isOfCells = true;
      if (name !== 'xf' || !isOfCells) return;
      const known = KNOWN.find(([from, to]) => Number(numFmtId) >= from && Number(numFmtId) <= to);
      styles.push(kindOfFormat(codes.get(numFmtId) ?? known?.[2] ?? ''));
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return styles;
}

/** By the letters that stand for parts of a time, outside quotes and brackets. */
export function kindOfFormat(code: string): NumberKind {
  const [bare = ''] = code.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '').split(';');
  if (/^0{2,}$/.test(bare)) return { kind: 'code', digits: bare.length };
  if (/^general$/i.test(bare)) return PLAIN;
  const hasFractions = /s[.,]0/i.test(bare);
  if (bare.includes('[')) return { kind: 'duration', hasFractions };
  if (/[yd]/i.test(bare) || (/m/i.test(bare) && !/[hs]/i.test(bare))) return { kind: 'time', hasFractions };
  return /[hs]/i.test(bare) ? { kind: 'clock', hasFractions } : PLAIN;
}

const DAYS_TO_1904 = 1462;
const LAST_DAY = 2_958_466;
/** The first days are counted from the 31st of December 1899; behind a 29th of February 1900, which never was, from the day before. */
const FIRST_MARCH_1900 = 61;

/** A number of a cell as text: a time in ISO 8601, all else as it is kept and not as it is shown. */
export function numberText(raw: string, style: NumberKind, is1904: boolean): string {
  const value = Number(raw);
  if (raw === '' || !Number.isFinite(value)) return raw;
  // As a number is written shortest: programs write all digits that they keep.
  const plain = /^-?\d+$/.test(raw) ? raw : String(value);
  switch (style.kind) {
    case 'number':
      return plain;
    case 'code':
      return /^\d+$/.test(plain) ? plain.padStart(style.digits, '0') : plain;
    case 'duration':
      return clockText(value * DAY_MS, style.hasFractions);
    case 'clock':
    case 'time':
      return timeText(value, style, is1904) ?? plain;
  }
}

/** Null: no day of the calendar. */
function timeText(value: number, { kind, hasFractions }: TimeKind, is1904: boolean): string | null {
  const days = is1904 ? value + DAYS_TO_1904 : value;
  if (days < 0 || days >= LAST_DAY) return null;
  const first = Date.UTC(1899, 11, days < FIRST_MARCH_1900 ? 31 : 30);
  const time = new Date(first + rounded(days * DAY_MS, hasFractions)).toISOString();
  const [date = '', clock = ''] = time.slice(0, hasFractions ? 23 : 19).split('T');
  return kind === 'clock' && value < 1 ? clock : `${date} ${clock}`;
}

/** To what is shown: a number of days is never a second exactly. */
function rounded(ms: number, hasFractions: boolean): number {
  return hasFractions ? Math.round(ms) : Math.round(ms / 1000) * 1000;
}

function clockText(duration: number, hasFractions: boolean): string {
  const ms = rounded(duration, hasFractions);
  const seconds = Math.floor(Math.abs(ms) / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const clock = [hours, minutes, rest].map((part) => String(part).padStart(2, '0')).join(':');
  const fraction = hasFractions ? `.${String(Math.abs(ms) % 1000).padStart(3, '0')}` : '';
  return `${ms < 0 ? '-' : ''}${clock}${fraction}`;
}

/** What the cells of all sheets refer to. */
export interface CellContext {
  readonly texts: SharedTexts;
  readonly styles: readonly NumberKind[];
  /** Days are counted from 1904 instead of 1900. */
  readonly is1904: boolean;
}
