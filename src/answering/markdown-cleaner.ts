import { readToken } from './markdown-tokens.js';

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

/** Cleans a whole text. */
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
