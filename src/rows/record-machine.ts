/** What parts and wraps the fields of a text. */
export interface FieldSyntax {
  /** One to four characters. */
  readonly delimiter: string;
  /** One character; empty: quotes are ordinary characters. */
  readonly quote: string;
  /** The quote itself, or what stands before a quote, or before itself, that is meant literally. A doubled quote is one in any case. */
  readonly escape: string;
  /** Blanks and tabs around fields, and around the quotes of fields, are not part of them. */
  readonly trims: boolean;
}

export const LF = 10;
export const CR = 13;
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
export const END = 10;
export const FAULT = 11;

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
export class RecordMachine {
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

  constructor(private readonly syntax: FieldSyntax) {
    this.classes = classesOf(syntax);
    this.next = transitions(syntax.trims);
    this.tokens = tokensOf(syntax).filter(({ bytes }) => bytes.length > 1);
    for (const { bytes } of this.tokens) this.classes[bytes[0] ?? 0] = UNSURE;
  }

  /** Runs from the start of a record until it ends, or the window does, and says in which state it stopped. */
  follow(window: Buffer, start: number): number {
    return this.tokens.length === 0 ? this.followBytes(window, start) : this.followTokens(window, start);
  }

  private followBytes(window: Buffer, start: number): number {
    const { classes, next } = this;
    const length = window.length;
    let state = FIELD_START;
    let inner = 0;
    let at = start;
    for (; at < length; at++) {
      state = next[state * CLASSES + (classes[window[at] ?? 0] ?? OTHER)] ?? FAULT;
      if (state < QUOTED_BREAK) continue;
      if (state >= END) break;
      if (state === LITERAL_QUOTE) this.hasLiteralQuotes = true;
      else inner++;
    }
    this.at = at;
    this.inner = inner;
    return state;
  }

  private followTokens(window: Buffer, start: number): number {
    let state = FIELD_START;
    let at = start;
    this.inner = 0;
    for (; at < window.length; at += this.width) {
      state = this.step(state, window, at);
      if (state >= END) break;
      if (state === LITERAL_QUOTE) this.hasLiteralQuotes = true;
      else if (state >= QUOTED_BREAK) this.inner++;
    }
    this.at = at;
    return state;
  }

  /** The state behind the sign at this place, which is `width` bytes wide. */
  private step(state: number, bytes: Buffer, at: number): number {
    this.width = 1;
    const meaning = this.classes[bytes[at] ?? 0] ?? OTHER;
    return this.next[state * CLASSES + (meaning === UNSURE ? this.lookCloser(bytes, at) : meaning)] ?? FAULT;
  }

  private lookCloser(bytes: Buffer, at: number): number {
    for (const token of this.tokens) {
      if (!beginsWith(bytes, at, bytes.length, token.bytes)) continue;
      this.width = token.bytes.length;
      return token.meaning;
    }
    return this.classAt(bytes, at);
  }

  /** Of a byte that begins like a longer sign and is none. */
  private classAt(bytes: Buffer, at: number): number {
    const byte = bytes[at] ?? 0;
    return byte === BLANK_BYTE || (byte === TAB && this.syntax.trims) ? BLANK : OTHER;
  }
}

function beginsWith(bytes: Buffer, at: number, end: number, sign: Buffer): boolean {
  if (sign.length === 0 || at + sign.length > end) return false;
  for (let index = 0; index < sign.length; index++) if (bytes[at + index] !== sign[index]) return false;
  return true;
}

function classesOf(syntax: FieldSyntax): Uint8Array {
  const classes = new Uint8Array(256).fill(OTHER);
  classes[BLANK_BYTE] = BLANK;
  if (syntax.trims) classes[TAB] = BLANK;
  for (const { bytes, meaning } of tokensOf(syntax)) if (bytes.length === 1) classes[bytes[0] ?? 0] = meaning;
  classes[LF] = LINE_FEED;
  classes[CR] = RETURN;
  return classes;
}

/** The longest first: it may begin like another. */
function tokensOf({ delimiter, quote, escape }: FieldSyntax): readonly Token[] {
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

export function isQuotedState(state: number): boolean {
  return [QUOTED, ESCAPED, QUOTED_BREAK, QUOTED_RETURN].includes(state);
}
