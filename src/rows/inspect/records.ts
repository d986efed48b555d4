import type { CsvDialect } from '../../ports/csv-inspector.js';
import { escapePattern } from '../../shared/time-format/lexical-pattern.js';

export type Row = readonly string[];

/** What parts a text into records and cells. */
export type Layout = Pick<CsvDialect, 'delimiter' | 'quote' | 'escape' | 'trims'>;

export interface FoundRow {
  readonly cells: Row;
  /** The physical lines, from 1, on which the record begins and ends. */
  readonly line: number;
  readonly lastLine: number;
}

export interface SplitText {
  readonly rows: readonly FoundRow[];
  /** Lines that are no records, because their quotes make no sense. */
  readonly faults: readonly number[];
  /** Cells that were quoted. */
  readonly quoted: number;
}

/** Where the physical lines of a text begin and end; LF, CRLF and CR end one. */
export interface TextLines {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Text of many candidates for the sign between cells is looked at again and again: its lines are found once. */
export function linesOf(text: string): TextLines {
  const [starts, ends]: [number[], number[]] = [[], []];
  let start = 0;
  for (const { index, 0: sign } of text.matchAll(/\r\n?|\n/g)) {
    starts.push(start);
    ends.push(index);
    start = index + sign.length;
  }
  if (start < text.length) {
    starts.push(start);
    ends.push(text.length);
  }
  return { text, starts, ends };
}

export interface SplitLimits {
  readonly mostRows: number;
  /** The text goes on behind its end: a quote that is open there may be closed. */
  readonly isCut: boolean;
}

const ALL: SplitLimits = { mostRows: Number.POSITIVE_INFINITY, isCut: false };

/**
 * Parts text into records by the rules of the import's scanner: a line whose quotes make no sense is left out by itself and reading goes
 * on with the next; blank lines are no records, nor are lines of blanks where blanks are trimmed.
 */
export function splitText(lines: TextLines, layout: Layout, limits: Partial<SplitLimits> = {}): SplitText {
  return new Splitter(lines, layout, { ...ALL, ...limits }).run();
}

/** Characters that may be read in vain, behind quotes that are never closed, before such are given up at their line's end. */
const MOST_IN_VAIN = 4 * 1024 ** 2;
/** A quote that is open at the end of cut text and was opened longer before is never closed. */
const LONGEST_OPEN = 64 * 1024;

type Ending = 'record' | 'fault' | 'cut';

class Splitter {
  private readonly rows: FoundRow[] = [];
  private readonly faults: number[] = [];
  private quoted = 0;
  private inVain = 0;
  /** The line that is read, its text, and where in it. */
  private index = 0;
  private line = '';
  private at = 0;
  private cells: string[] = [];
  /** Where the quoted part of this line begins. */
  private opened = 0;
  /** What counts as a blank beside a quote, and around a trimmed cell. */
  private readonly blanks: string;
  private readonly blankLine: RegExp;
  /** Signs of a quoted cell that are meant literally, with what stands before them. */
  private readonly literals: RegExp;

  constructor(
    private readonly lines: TextLines,
    private readonly layout: Layout,
    private readonly limits: SplitLimits,
  ) {
    const [quote = '', escape = ''] = [layout.quote, layout.escape || layout.quote].map(escapePattern);
    this.blanks = layout.trims ? ' \t' : ' ';
    this.blankLine = layout.trims ? (layout.delimiter.startsWith('\t') ? /^ *$/ : /^[ \t]*$/) : /^$/;
    this.literals = new RegExp(`${escape}([${escape}${quote}])|${quote}(${quote})`, 'g');
  }

  run(): SplitText {
    const { quote } = this.layout;
    while (this.index < this.lines.starts.length && this.rows.length < this.limits.mostRows) {
      this.openLine();
      if (quote === '' || !this.line.includes(quote)) this.addPlain();
      else if (!this.addQuoted()) break;
    }
    return { rows: this.rows, faults: this.faults, quoted: this.quoted };
  }

  private openLine(): void {
    const { text, starts, ends } = this.lines;
    this.line = text.slice(starts[this.index], ends[this.index]);
    this.at = 0;
  }

  private addPlain(): void {
    this.index++;
    if (this.blankLine.test(this.line)) return;
    const cells = this.line.split(this.layout.delimiter);
    const kept = this.layout.trims ? cells.map((cell) => this.trimmed(cell)) : cells;
    this.rows.push({ cells: kept, line: this.index, lastLine: this.index });
  }

  /** False when the text ends within the record. */
  private addQuoted(): boolean {
    const first = this.index;
    const before = this.quoted;
    this.cells = [];
    let ending: Ending | null = null;
    while (ending === null) ending = this.isAtQuote() ? this.readQuoted() : this.readPlain();
    if (ending === 'cut') return false;
    if (ending === 'record') {
      this.index++;
      this.rows.push({ cells: this.cells, line: first + 1, lastLine: this.index });
      return true;
    }
    const { starts } = this.lines;
    this.inVain += (starts[this.index] ?? 0) - (starts[first] ?? 0);
    this.faults.push(first + 1);
    this.quoted = before;
    this.index = first + 1;
    return true;
  }

  /** Goes behind the opening quote if there is one: one blank before it is passed over, and all where blanks are trimmed. */
  private isAtQuote(): boolean {
    const { quote, trims } = this.layout;
    let at = this.at;
    if (trims) while (this.isBlank(at)) at++;
    else if (this.isBlank(at)) at++;
    if (!this.line.startsWith(quote, at)) return false;
    this.at = at + quote.length;
    this.opened = this.at;
    return true;
  }

  private readPlain(): Ending | null {
    const { delimiter, trims } = this.layout;
    const end = this.line.indexOf(delimiter, this.at);
    const cell = this.line.slice(this.at, end === -1 ? undefined : end);
    this.cells.push(trims ? this.trimmed(cell) : cell);
    if (end === -1) return 'record';
    this.at = end + delimiter.length;
    return null;
  }

  private readQuoted(): Ending | null {
    const { text, starts } = this.lines;
    const start = (starts[this.index] ?? 0) + this.at;
    for (let close = this.closingQuote(); close === -1; close = this.closingQuote()) {
      const ending = this.nextLine(start);
      if (ending !== null) return ending;
    }
    const end = (starts[this.index] ?? 0) + this.at;
    this.cells.push(text.slice(start, end).replace(this.literals, '$1$2'));
    this.quoted++;
    return this.endQuoted();
  }

  /** Where the quote closes in this line; -1: not here. */
  private closingQuote(): number {
    const { quote, escape } = this.layout;
    let at = this.line.indexOf(quote, this.at);
    while (at !== -1) {
      const isEscaped = escape !== quote && this.isEscaped(at);
      const isDoubled = !isEscaped && this.line.startsWith(quote, at + 1);
      if (!isDoubled && !isEscaped) {
        this.at = at;
        return at;
      }
      this.at = at + (isDoubled ? 2 : 1);
      at = this.line.indexOf(quote, this.at);
    }
    return -1;
  }

  /** An escape that is itself escaped escapes nothing. */
  private isEscaped(at: number): boolean {
    let count = 0;
    while (at - count > this.opened && this.line[at - count - 1] === this.layout.escape) count++;
    return count % 2 === 1;
  }

  private nextLine(start: number): Ending | null {
    const { text, starts } = this.lines;
    const next = starts[this.index + 1];
    if (next === undefined) {
      return this.limits.isCut && text.length - start < LONGEST_OPEN ? 'cut' : 'fault';
    }
    if (this.inVain > MOST_IN_VAIN) return 'fault';
    this.index++;
    this.openLine();
    this.opened = 0;
    return null;
  }

  /** Behind a closing quote there may be blanks, and then the cell must end. */
  private endQuoted(): Ending | null {
    const { delimiter } = this.layout;
    this.at++;
    while (this.isBlank(this.at)) this.at++;
    if (this.at >= this.line.length) return 'record';
    if (!this.line.startsWith(delimiter, this.at)) return 'fault';
    this.at += delimiter.length;
    return null;
  }

  private isBlank(at: number): boolean {
    const sign = this.line[at];
    return sign !== undefined && this.blanks.includes(sign) && !this.line.startsWith(this.layout.delimiter, at);
  }

  private trimmed(cell: string): string {
    let [start, end] = [0, cell.length];
    while (start < end && this.blanks.includes(cell[start] ?? 'x')) start++;
    while (end > start && this.blanks.includes(cell[end - 1] ?? 'x')) end--;
    return cell.slice(start, end);
  }
}

export function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [best] = [...counts].sort(([, one], [, other]) => other - one);
  return best?.[0] ?? 0;
}
