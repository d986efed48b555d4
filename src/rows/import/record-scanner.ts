import { isUtf8 } from 'node:buffer';
import type { CsvDialect } from '../../ports/csv-inspector.js';

/** What parts a text into records and cells. */
export type Layout = Pick<CsvDialect, 'delimiter' | 'quote' | 'escape' | 'trims'>;

/** Why a line can't be a record. */
export type Fault = 'quote' | 'bytes' | 'length';

/** A record, or a line that is none, in bytes `start` to `end` of `bytes`, without its line break; it begins at byte `offset` of the file. */
export interface RecordSink {
  record(bytes: Buffer, start: number, end: number, line: number, offset: number): void;
  fault(bytes: Buffer, start: number, end: number, line: number, fault: Fault): void;
}

/** Lines of the preamble are passed over whatever stands in them; of rows of the header the sink is not told. */
export interface ScannerOptions extends Layout, Pick<CsvDialect, 'preambleLines' | 'headerRows'> {
  /** The text was converted: bytes that were not valid have become U+FFFD. */
  readonly converted: boolean;
  /** Bytes that may be read behind quotes that are never closed, before such are given up at their line's end. Not there: as many as there are. */
  readonly mostInVain?: number;
}

/** A record that is longer is none, so that a quote which nobody closes costs one line and not the rest of the file. */
export const MAX_RECORD_BYTES = 1024 ** 2;

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const REPLACEMENT = Buffer.from('\uFFFD');

/**
 * Cuts a CSV file into records, byte by byte and in bounded memory. A line whose quotes make no sense (text after a closing quote, a quote
 * that is never closed) is a fault by itself and reading goes on with the next line: nothing that follows is swallowed.
 */
export class RecordScanner {
  hasLineFeeds = false;
  hasReturns = false;
  hasPairs = false;
  hasQuotedLineBreaks = false;
  hasQuotes = false;
  hasEscapes = false;
  /** There are lines that are no records, be it in the header. */
  hasFaults = false;
  hasHeaderBreaks = false;
  /** What is passed over at the start has quotes. */
  hasQuotesInPreamble = false;

  private readonly machine: RecordMachine;
  private window: Buffer = Buffer.alloc(0);
  private room: Buffer = Buffer.alloc(0);
  private line = 1;
  private begun = false;
  private inVain = 0;
  private mostOpen = 0;
  /** Bytes of the file before the window. */
  private before = 0;
  private skipping = false;
  private valid = true;
  private quoted = false;
  /** There are carriage returns in the window. */
  private returns = false;
  private preamble: number;
  private headers: number;
  /** A tab that parts fields is no blank. */
  private readonly blankTab: number;

  constructor(
    private readonly options: ScannerOptions,
    private readonly sink: RecordSink,
  ) {
    this.machine = new RecordMachine(options);
    this.preamble = options.preambleLines;
    this.headers = options.headerRows;
    this.blankTab = options.delimiter.startsWith('\t') ? BLANK_BYTE : TAB;
  }

  get hasLiteralQuotes(): boolean {
    return this.machine.hasLiteralQuotes;
  }

  /** The sink must not keep what it is shown: chunk and window are used again. */
  push(chunk: Buffer): void {
    this.scan(this.window.length === 0 ? chunk : this.joined(chunk), false);
  }

  /** @param mostOpen as long may a quote be open at the end and be no fault: the text goes on there */
  end(mostOpen = 0): void {
    this.mostOpen = mostOpen;
    this.scan(this.window, true);
  }

  private joined(chunk: Buffer): Buffer {
    const length = this.window.length + chunk.length;
    if (this.room.length < length) this.room = Buffer.allocUnsafeSlow(length * 2);
    this.window.copy(this.room);
    chunk.copy(this.room, this.window.length);
    return this.room.subarray(0, length);
  }

  private scan(window: Buffer, final: boolean): void {
    const begin = this.begin(window, final);
    let at = begin === -1 ? -1 : this.passPreamble(window, begin, final);
    if (at !== -1 && this.preamble === 0) at = this.scanRecords(window, at, final);
    this.before += Math.max(at, 0);
    this.window = Buffer.from(window.subarray(Math.max(at, 0)));
  }

  private scanRecords(window: Buffer, from: number, final: boolean): number {
    this.valid = this.isValid(window.subarray(from, final ? window.length : lastBreak(window) + 1));
    this.look(window, from);
    let at = from;
    while (at < window.length) {
      const next = this.skipping ? this.skip(window, at) : this.next(window, at, final);
      if (next === -1) break;
      at = next;
    }
    return at;
  }

  private look(window: Buffer, from: number): void {
    const { quote, escape } = this.options;
    this.quoted = quote !== '' && window.includes(quote, from);
    this.returns = window.includes(CR, from);
    this.hasQuotes ||= this.quoted;
    if (escape !== quote && escape !== '') this.hasEscapes ||= window.includes(escape, from);
  }

  /** Passes over lines that are no records, whatever their quotes say. */
  private passPreamble(window: Buffer, from: number, final: boolean): number {
    const { quote } = this.options;
    let at = from;
    while (this.preamble > 0 && at < window.length) {
      const end = firstBreak(window, at);
      const line = window.subarray(at, end === -1 ? window.length : end);
      this.hasQuotesInPreamble ||= quote !== '' && line.includes(quote);
      if (end === -1) return window.length;
      const after = this.afterBreak(window, end, final);
      if (after === -1) return end;
      this.preamble--;
      this.line++;
      at = after;
    }
    return at;
  }

  /** Where the first record begins: after the mark that some programs write at the start of a file. -1: too little to tell. */
  private begin(window: Buffer, final: boolean): number {
    if (this.begun) return 0;
    if (window.length < BOM.length && !final) return -1;
    this.begun = true;
    return window.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
  }

  private isValid(bytes: Buffer): boolean {
    return this.options.converted ? !bytes.includes(REPLACEMENT) : isUtf8(bytes);
  }

  /** Reads one record and says where the next begins; -1 when the window ends before it does. */
  private next(window: Buffer, start: number, final: boolean): number {
    if (!this.quoted) return this.nextPlain(window, start, final);
    const { machine } = this;
    const isHasty = this.inVain > (this.options.mostInVain ?? Infinity);
    const state = machine.follow(window, start, isHasty);
    const { at, inner } = machine;
    if (state === END) return this.close(window, start, at, inner, final);
    if (state === FAULT) return this.refuseLine(window, start, 'quote', final);
    const quoted = [QUOTED, ESCAPED, QUOTED_BREAK, QUOTED_RETURN].includes(state);
    return this.cut(window, start, { inner, quoted, final });
  }

  /** Without a quote in sight every line is a record. */
  private nextPlain(window: Buffer, start: number, final: boolean): number {
    const at = this.returns ? firstBreak(window, start) : window.indexOf(LF, start);
    if (at !== -1) return this.close(window, start, at, 0, final);
    return this.cut(window, start, { inner: 0, quoted: false, final });
  }

  /** The window ended inside the record. */
  private cut(window: Buffer, start: number, found: { inner: number; quoted: boolean; final: boolean }): number {
    const { inner, quoted, final } = found;
    const fault = quoted ? 'quote' : 'length';
    if (window.length - start > MAX_RECORD_BYTES) return this.refuseLine(window, start, fault, final);
    if (!final) return -1;
    if (quoted && window.length - start > this.mostOpen) return this.refuseLine(window, start, fault, final);
    if (!quoted && this.isThere(window, start, window.length)) this.emit(window, start, window.length, inner);
    return window.length;
  }

  private close(window: Buffer, start: number, end: number, inner: number, final: boolean): number {
    const after = this.afterBreak(window, end, final);
    if (after === -1) return -1;
    if (end - start > MAX_RECORD_BYTES) return this.refuseLine(window, start, inner > 0 ? 'quote' : 'length', final);
    if (this.isThere(window, start, end)) this.emit(window, start, end, inner);
    this.line += inner + 1;
    return after;
  }

  /** A blank line is no record; nor is one of blanks where blanks do not count. */
  private isThere(window: Buffer, start: number, end: number): boolean {
    if (!this.options.trims) return end > start;
    for (let at = start; at < end; at++) if (window[at] !== BLANK_BYTE && window[at] !== this.blankTab) return true;
    return false;
  }

  private afterBreak(window: Buffer, at: number, final: boolean): number {
    if (window[at] === LF) {
      this.hasLineFeeds = true;
      return at + 1;
    }
    // What looks like a lone CR may be half of a CRLF.
    if (at + 1 === window.length && !final) return -1;
    const paired = window[at + 1] === LF;
    if (paired) this.hasPairs = true;
    else this.hasReturns = true;
    return at + (paired ? 2 : 1);
  }

  private emit(window: Buffer, start: number, end: number, inner: number): void {
    if (!this.valid && !this.isValid(window.subarray(start, end))) {
      this.refuse(window, start, end, 'bytes');
      return;
    }
    if (inner > 0) this.hasQuotedLineBreaks = true;
    if (this.headers === 0) this.sink.record(window, start, end, this.line, this.before + start);
    else {
      this.headers--;
      this.hasHeaderBreaks ||= inner > 0;
    }
  }

  private refuse(window: Buffer, start: number, end: number, fault: Fault): void {
    this.hasFaults = true;
    // The names of a header are already known, whatever is wrong with it.
    if (this.headers === 0) this.sink.fault(window, start, end, this.line, fault);
    else this.headers--;
  }

  /** Gives up the one line that begins at `start`, whatever its quotes say, and goes on behind it. */
  private refuseLine(window: Buffer, start: number, fault: Fault, final: boolean): number {
    if (fault === 'quote') this.inVain += this.machine.at - start;
    const end = firstBreak(window, start);
    if (end === -1 && !final && window.length - start <= MAX_RECORD_BYTES) return -1;
    if (end === -1) {
      this.skipping = !final;
      this.refuse(window, start, window.length, fault);
      return window.length;
    }
    const after = this.afterBreak(window, end, final);
    if (after === -1) return -1;
    this.refuse(window, start, end, end - start > MAX_RECORD_BYTES ? 'length' : fault);
    this.line++;
    return after;
  }

  /** Passes over the rest of a line that is already given up. */
  private skip(window: Buffer, start: number): number {
    const end = firstBreak(window, start);
    if (end === -1) return window.length;
    if (window[end] === CR && end + 1 === window.length) return -1;
    this.skipping = false;
    this.line++;
    return end + (window[end] === CR && window[end + 1] === LF ? 2 : 1);
  }
}

function firstBreak(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte <= CR && (byte === LF || byte === CR)) return at;
  }
  return -1;
}

/** -1 when there is none. Looks from the end, where one is near. */
function lastBreak(bytes: Buffer): number {
  let at = bytes.length - 1;
  while (at >= 0 && bytes[at] !== LF && bytes[at] !== CR) at--;
  return at;
}

const LF = 10;
const CR = 13;
const TAB = 9;
const BLANK_BYTE = 32;

// What a byte means to the machine. The last one: more bytes have to be looked at …
const OTHER = 0;
const DELIMITER = 1;
const QUOTE = 2;
const LINE_FEED = 3;
const RETURN = 4;
const BLANK = 5;
const ESCAPE = 6;
const UNSURE = 7;
const CLASSES = 8;

// … and where the machine is. The last two end a record; the three before them are worth a note: a line break inside quotes, a quote outside.
const FIELD_START = 0;
const PLAIN = 1;
const QUOTED = 2;
const AFTER_QUOTE = 3;
const AFTER_BLANK = 4;
const FIRST_BLANK = 5;
const ESCAPED = 6;
const QUOTED_BREAK = 7;
const QUOTED_RETURN = 8;
const LITERAL_QUOTE = 9;
const END = 10;
const FAULT = 11;

/** The next state by state (row) and class of byte (column): other, delimiter, quote, LF, CR, blank, escape. */
function transitions(trims: boolean): Uint8Array {
  // One blank before a quote is passed over, as the database does it.
  const blanks = trims ? FIRST_BLANK : PLAIN;
  const plainly = [PLAIN, FIELD_START, LITERAL_QUOTE, END, END, PLAIN, PLAIN, FAULT];
  return Uint8Array.from(
    [
      [PLAIN, FIELD_START, QUOTED, END, END, FIRST_BLANK, PLAIN, FAULT],
      plainly,
      [QUOTED, QUOTED, AFTER_QUOTE, QUOTED_BREAK, QUOTED_RETURN, QUOTED, ESCAPED, FAULT],
      [FAULT, FIELD_START, QUOTED, END, END, AFTER_BLANK, FAULT, FAULT],
      [FAULT, FIELD_START, FAULT, END, END, AFTER_BLANK, FAULT, FAULT],
      [PLAIN, FIELD_START, QUOTED, END, END, blanks, PLAIN, FAULT],
      [QUOTED, QUOTED, QUOTED, QUOTED_BREAK, QUOTED_RETURN, QUOTED, QUOTED, FAULT],
      [QUOTED, QUOTED, AFTER_QUOTE, QUOTED_BREAK, QUOTED_RETURN, QUOTED, ESCAPED, FAULT],
      // The line feed of a CRLF is not a second line break.
      [QUOTED, QUOTED, AFTER_QUOTE, QUOTED, QUOTED_RETURN, QUOTED, ESCAPED, FAULT],
      plainly,
    ].flat(),
  );
}

interface Token {
  readonly bytes: Buffer;
  readonly meaning: number;
}

/** Finds where a record ends, byte by byte. */
class RecordMachine {
  /** Where the machine stopped, and the line breaks inside quotes on its way. */
  at = 0;
  inner = 0;
  /** Somewhere a quote stood inside a field without quotes. */
  hasLiteralQuotes = false;

  private width = 1;
  private readonly classes: Uint8Array;
  private readonly next: Uint8Array;
  /** Of more than one byte each. */
  private readonly tokens: readonly Token[];

  constructor(private readonly syntax: Layout) {
    this.classes = classesOf(syntax);
    this.next = transitions(syntax.trims);
    this.tokens = tokensOf(syntax).filter(({ bytes }) => bytes.length > 1);
    for (const { bytes } of this.tokens) this.classes[bytes[0] ?? 0] = UNSURE;
  }

  /** Runs from the start of a record until it ends, or the window does, and says in which state it stopped. In haste, a quote does not go on behind its line. */
  follow(window: Buffer, start: number, isHasty: boolean): number {
    const { classes, next } = this;
    const length = window.length;
    let state = FIELD_START;
    let inner = 0;
    let at = start;
    for (; at < length; at += this.width) {
      let meaning = classes[window[at] ?? 0] ?? OTHER;
      this.width = 1;
      if (meaning === UNSURE) meaning = this.lookCloser(window, at);
      state = next[state * CLASSES + meaning] ?? FAULT;
      if (state < QUOTED_BREAK) continue;
      if (state >= END) break;
      if (state === LITERAL_QUOTE) this.hasLiteralQuotes = true;
      else if (isHasty) {
        state = FAULT;
        break;
      } else inner++;
    }
    this.at = at;
    this.inner = inner;
    return state;
  }

  private lookCloser(bytes: Buffer, at: number): number {
    for (const token of this.tokens) {
      if (!standsAt(bytes, at, token.bytes)) continue;
      this.width = token.bytes.length;
      return token.meaning;
    }
    // It begins like a longer sign and is none.
    const byte = bytes[at] ?? 0;
    return byte === BLANK_BYTE || (byte === TAB && this.syntax.trims) ? BLANK : OTHER;
  }
}

function standsAt(bytes: Buffer, at: number, sign: Buffer): boolean {
  for (let index = 0; index < sign.length; index++) if (bytes[at + index] !== sign[index]) return false;
  return true;
}

function classesOf(syntax: Layout): Uint8Array {
  const classes = new Uint8Array(256).fill(OTHER);
  classes[BLANK_BYTE] = BLANK;
  if (syntax.trims) classes[TAB] = BLANK;
  for (const { bytes, meaning } of tokensOf(syntax)) if (bytes.length === 1) classes[bytes[0] ?? 0] = meaning;
  classes[LF] = LINE_FEED;
  classes[CR] = RETURN;
  return classes;
}

/** The longest first: it may begin like another. */
function tokensOf({ delimiter, quote, escape }: Layout): readonly Token[] {
  const signs: readonly (readonly [string, number])[] = [
    ...(escape === quote ? [] : [[escape, ESCAPE] as const]),
    [quote, QUOTE],
    [delimiter, DELIMITER],
  ];
  return signs
    .filter(([text]) => text !== '')
    .map(([text, meaning]) => ({ bytes: Buffer.from(text), meaning }))
    .sort((one, other) => other.bytes.length - one.bytes.length);
}
