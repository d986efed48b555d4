/**
 * Control characters, marks that turn the direction of writing, tag characters that smuggle text past a reader, and what has no width:
 * whoever left that out later would join what was parted. The joiners stay, because scripts and emoji need them.
 */
const INVISIBLE =
  /[\p{Cc}\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;
const JOINER = /^[\u200C\u200D]$/;
/** Text is worked on in portions, so that the time it takes grows with its length and not faster. */
const PORTION = 2000;

const FENCE = /[ \t]{0,40}(`{3,}|~{3,})/y;
const MAYBE_FENCE = /^[ \t]{0,40}(?:`*|~*)$/;
const MAYBE_CLOSING = /^[ \t]{0,40}(?:`*|~*)[ \t]{0,40}$/;

interface Piece {
  readonly text: string;
  readonly take: number;
}

/**
 * Takes out of Markdown what could lead a reader away from the page or load something: images, links (their label stays), HTML tags,
 * the schemes of bare addresses. Works on a stream: `push` returns what is decided so far. Everything else stays as it is.
 *
 * What is code keeps its tags and brackets. But readers of Markdown disagree about where code ends, and leaving something out can join
 * what stood apart; so nothing rests on that: characters that together make a link, a tag or an address never go out side by side,
 * wherever they come from, but with a space between them.
 */
export class MarkdownCleaner {
  private pending = '';
  /** Half a character, waiting for the other half. */
  private half = '';
  /** The last characters that went out. */
  private tail = '';
  /** The marks that opened the code block we are in. */
  private fence: string | null = null;

  push(text: string): string {
    const whole = this.half + text;
    this.half = /[\uD800-\uDBFF]$/.exec(whole)?.[0] ?? '';
    const visible = whole
      .slice(0, whole.length - this.half.length)
      .replace(INVISIBLE, (mark) => (mark === '\n' || mark === '\t' ? mark : ''));
    let cleaned = '';
    for (let from = 0; from < visible.length; from += PORTION) {
      this.pending += visible.slice(from, from + PORTION);
      cleaned += this.drain(false);
    }
    return cleaned;
  }

  /** What was held back. More may follow. */
  end(): string {
    return this.drain(true);
  }

  private drain(final: boolean): string {
    let cleaned = '';
    let at = 0;
    while (at < this.pending.length) {
      const piece = this.next(at, final);
      if (piece === null) break;
      cleaned += this.guarded(piece.text);
      at += piece.take;
    }
    this.pending = this.pending.slice(at);
    return cleaned;
  }

  /** The next piece that goes out and how much of what is pending it takes; null when that can't be told yet. */
  private next(at: number, final: boolean): Piece | null {
    if (this.fence !== null) return this.nextInFence(this.fence, at, final);
    if (this.startsLine) {
      if (!final && MAYBE_FENCE.test(this.pending.slice(at, at + 200))) return null;
      const opening = this.fenceAt(at);
      if (opening !== null) return opening;
    }
    const token = readToken({ text: this.pending, at, final }, this.tail.endsWith(']'));
    if (token.kind === 'wait') return null;
    if (token.kind === 'out') return token;
    this.pending = this.pending.slice(0, at) + token.instead + this.pending.slice(at + token.take);
    return { take: 0, text: '' };
  }

  private fenceAt(at: number): Piece | null {
    FENCE.lastIndex = at;
    const [opening, marks] = FENCE.exec(this.pending) ?? [];
    if (opening === undefined || marks === undefined) return null;
    this.fence = marks;
    return { take: opening.length, text: opening };
  }

  private nextInFence(marks: string, at: number, final: boolean): Piece | null {
    const newline = this.pending.indexOf('\n', at);
    const line = this.pending.slice(at, newline < 0 ? undefined : newline);
    if (this.startsLine && MAYBE_CLOSING.test(line)) {
      if (newline < 0 && !final) return null;
      if (line.trim().startsWith(marks)) this.fence = null;
    }
    return newline < 0 ? { take: line.length, text: line } : { take: line.length + 1, text: `${line}\n` };
  }

  private get startsLine(): boolean {
    return this.tail === '' || this.tail.endsWith('\n');
  }

  private guarded(text: string): string {
    let guarded = '';
    for (const character of text) {
      // Joiners part nothing: some readers leave them out.
      if (JOINER.test(character)) {
        guarded += character;
        continue;
      }
      const apart = mustNotMeet(this.tail, character) ? ` ${character}` : character;
      this.tail = (this.tail + apart).slice(-8);
      guarded += apart;
    }
    return guarded;
  }
}

/** Whether the character would make something of what stands before it that a reader follows. */
function mustNotMeet(tail: string, next: string): boolean {
  switch (tail.slice(-1)) {
    case ']':
      return next === '(' || next === ':';
    case '<':
      return /[A-Za-z/!?]/.test(next);
    case '/':
      return tail.endsWith('//') && /\S/.test(next);
    case '&':
      return next === '#';
    case '@':
      // The address of a mail or a chat, with or without its scheme.
      return /[^\s@]@$/.test(tail) && /\S/.test(next);
    default:
      // Some readers look for addresses after these names have become their characters.
      return (next === '.' && /www$/i.test(tail)) || (next === ';' && /&(?:colon|sol|period|commat)$/i.test(tail));
  }
}

export function cleanMarkdown(text: string): string {
  const cleaner = new MarkdownCleaner();
  return cleaner.push(text) + cleaner.end();
}

/** Words of a model for one line of plain text: a purpose, a title. */
export function cleanLine(text: string, longest: number): string {
  const line = cleanMarkdown(text.slice(0, 10 * longest))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1).trimEnd()}…`;
}

/** The next piece of Markdown text: how many characters it takes, and what goes out for them. */
type Token =
  | { readonly kind: 'out'; readonly take: number; readonly text: string }
  /** A link: its label is read in its place. */
  | { readonly kind: 'again'; readonly take: number; readonly instead: string }
  /** Only what follows can tell. */
  | { readonly kind: 'wait' };

/** Text from a place on. `final`: nothing will follow, so nothing can be waited for. */
interface Reading {
  readonly text: string;
  readonly at: number;
  readonly final: boolean;
}

const WAIT: Token = { kind: 'wait' };
/** What is longer than this is not what it looked like. It bounds what is held back, and the time that hostile text costs. */
const LONGEST = 500;
const LONGEST_WORD = 64;

const PLAIN = /[^\\`<[!(A-Za-z\n]+/y;
const WORD = /[A-Za-z][A-Za-z0-9+.-]*/y;
const TICKS = /`+/y;
const SCHEME = /[A-Za-z][A-Za-z0-9+-]*$/;
const WWW = /^www\./i;
const BLANK_LINE = /\n[ \t]*\n/;
/** An address, and perhaps a title, as Markdown wants them between the parentheses of a link. */
const DESTINATION = /^\s*(?:<[^<>\n]*>|[^\s<>]*)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*$/;

/** Reads one token. `afterBracket`: the last character that went out is a closing bracket. */
function readToken(reading: Reading, afterBracket: boolean): Token {
  const { text, at } = reading;
  switch (text.charAt(at)) {
    case '\\':
      return readEscape(reading);
    case '`':
      return readTicks(reading);
    case '<':
      return readTag(reading);
    case '[':
      return readLink(reading, at);
    case '!':
      return readImage(reading);
    case '(':
      return afterBracket ? readDestination(reading) : out('(');
    case '\n':
      return out('\n');
    default:
      return /[A-Za-z]/.test(text.charAt(at)) ? readWord(reading) : out(matchAt(PLAIN, text, at));
  }
}

function out(text: string, take = text.length): Token {
  return { kind: 'out', take, text };
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? text.charAt(at);
}

/** Waits for more, unless there is none or this has taken too long. */
function waitOr(reading: Reading, otherwise: Token, longest = LONGEST): Token {
  return reading.final || reading.text.length - reading.at > longest ? otherwise : WAIT;
}

/** An escaped character stays escaped, but for those that addresses are made of: some readers look for addresses after unescaping. */
function readEscape(reading: Reading): Token {
  const pair = reading.text.slice(reading.at, reading.at + 2);
  if (pair.length < 2) return waitOr(reading, out(pair));
  return /[:/.]/.test(pair.charAt(1)) ? out('', 1) : out(pair);
}

/** A code span of one line stays as it is; backticks without a partner are just backticks. */
function readTicks(reading: Reading): Token {
  const { text, at } = reading;
  const ticks = matchAt(TICKS, text, at);
  const [line = '', ...more] = text.slice(at + ticks.length, at + LONGEST).split('\n', 2);
  const partner = new RegExp(`(?<!\`)\`{${ticks.length}}(?!\`)`).exec(line);
  const closed = (partner?.index ?? line.length) + ticks.length;
  // The partner could turn out to be longer, and so no partner.
  const undecided = more.length === 0 && (partner === null || closed === line.length);
  const span = out(partner === null ? ticks : ticks + line.slice(0, closed));
  return undecided ? waitOr(reading, span) : span;
}

/** Tags, comments and `<address>` links go; a lonely `<` stays. */
function readTag(reading: Reading): Token {
  const { text, at } = reading;
  if (at + 1 === text.length) return waitOr(reading, out('<'));
  if (!/[A-Za-z/!?]/.test(text.charAt(at + 1))) return out('<');
  const rest = text.slice(at + 1, at + LONGEST);
  const end = rest.search(/[<>]/);
  if (end < 0) return BLANK_LINE.test(rest) ? out('<') : waitOr(reading, out('<'));
  if (rest.charAt(end) === '<' || BLANK_LINE.test(rest.slice(0, end))) return out('<');
  return out('', end + 2);
}

function readImage(reading: Reading): Token {
  const { text, at } = reading;
  if (at + 1 === text.length) return waitOr(reading, out('!'));
  return text.charAt(at + 1) === '[' ? readLink(reading, at + 1) : out('!');
}

/** `[label](address)` becomes its label, `![label](address)` nothing. `bracket` is where the label begins. */
function readLink(reading: Reading, bracket: number): Token {
  const { text, at, final } = reading;
  const literal = out(text.charAt(at));
  const close = closing(text, bracket, final);
  if (typeof close === 'string') return close === 'open' ? WAIT : literal;
  if (close + 1 === text.length) return waitOr(reading, literal);
  if (text.charAt(close + 1) !== '(') return literal;
  const end = destinationEnd(text, close + 1, final);
  if (typeof end === 'string') return end === 'open' ? WAIT : literal;
  if (bracket > at) return out('', end + 1 - at);
  return { kind: 'again', take: end + 1 - at, instead: text.slice(bracket + 1, close) };
}

/** The address of a link whose label was too long to be looked at as a whole. */
function readDestination({ text, at, final }: Reading): Token {
  const end = destinationEnd(text, at, final);
  if (typeof end === 'string') return end === 'open' ? WAIT : out('(');
  return out('', end + 1 - at);
}

/** `none`: there is none. `open`: that can't be told yet. */
type Place = number | 'none' | 'open';

function destinationEnd(text: string, from: number, final: boolean): Place {
  const end = closing(text, from, final);
  return typeof end === 'string' || DESTINATION.test(text.slice(from + 1, end)) ? end : 'none';
}

/** Where the bracket at `from` is closed, within its paragraph. */
function closing(text: string, from: number, final: boolean): Place {
  const depths: Readonly<Record<string, number>> = text.startsWith('[', from)
    ? { '[': 1, ']': -1 }
    : { '(': 1, ')': -1 };
  const paragraph = paragraphAt(text, from);
  let depth = 0;
  for (let index = 0; index < paragraph.length; index += 1) {
    const character = paragraph.charAt(index);
    if (character === '\\') index += 1;
    depth += depths[character] ?? 0;
    if (depth === 0) return from + index;
  }
  const isWhole = final || paragraph.length < text.length - from;
  return isWhole ? 'none' : 'open';
}

function paragraphAt(text: string, from: number): string {
  const near = text.slice(from, from + LONGEST);
  return near.slice(0, BLANK_LINE.exec(near)?.index);
}

/** Addresses lose what makes readers turn them into links: `https://` and `www.`. */
function readWord(reading: Reading): Token {
  const { text, at } = reading;
  const word = matchAt(WORD, text, at);
  const after = text.slice(at + word.length, at + word.length + 3);
  if (WWW.test(word)) return out('', 4);
  if (after === '://') {
    const scheme = SCHEME.exec(word)?.[0] ?? '';
    return { kind: 'out', take: word.length + 3, text: word.slice(0, word.length - scheme.length) };
  }
  if (after.length < 3 && '://'.startsWith(after)) return waitOr(reading, out(word), LONGEST_WORD);
  return out(word);
}
