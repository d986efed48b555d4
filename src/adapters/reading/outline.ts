import type { DocumentBlock } from '../../ports/document-reader.js';

const WORD_BEFORE = /[\p{L}\p{M}]+-$/u;
const WORD_AFTER = /^[\p{L}\p{M}]+/u;
const COMPOUND = /(?<![\p{L}\p{M}-])[\p{L}\p{M}]+-[\p{L}\p{M}]+/gu;
/** More than any document has, unless it is made to fill memory. */
const MOST_COMPOUNDS = 20_000;
const LONGEST_WORD = 60;

/**
 * Mends words that were broken at the end of a line. Whether `well-` and `known` were one word can't be seen there; the document tells:
 * a compound that stands somewhere else within a line with its hyphen keeps it.
 */
export class Hyphenation {
  private readonly compounds = new Set<string>();

  learn(line: string): void {
    if (!line.includes('-')) return;
    for (const [compound] of line.matchAll(COMPOUND)) {
      if (this.compounds.size >= MOST_COMPOUNDS) return;
      if (compound.length <= 2 * LONGEST_WORD) this.compounds.add(compound.toLowerCase());
    }
  }

  /** One line of several, but for those that stay lines; `staysLine` is asked of the second of each two. */
  join(lines: readonly string[], staysLine: (at: number) => boolean): string {
    const parts: string[] = [];
    for (const [at, line] of lines.entries()) {
      const next = lines[at + 1];
      if (next === undefined) parts.push(line);
      else if (staysLine(at + 1)) parts.push(line, '\n');
      else parts.push(...this.seam(line, next));
    }
    return parts.join('');
  }

  /** What stays of a line, and what stands between it and the next. */
  private seam(line: string, next: string): readonly [string, string] {
    if (line.endsWith('\u00ad')) return [line.slice(0, -1), ''];
    const end = line.slice(-LONGEST_WORD);
    if (!/[\p{L}\p{N}]-$/u.test(end) || !/^[\p{L}\p{N}]/u.test(next)) return [line, ' '];
    // Between a letter and a small letter the hyphen goes; between others it stays, without a space.
    return this.isBrokenWord(end, next.slice(0, LONGEST_WORD)) ? [line.slice(0, -1), ''] : [line, ''];
  }

  private isBrokenWord(before: string, after: string): boolean {
    if (!/^\p{Ll}/u.test(after)) return false;
    const [start] = WORD_BEFORE.exec(before) ?? [];
    const [end] = WORD_AFTER.exec(after) ?? [];
    return start !== undefined && end !== undefined && !this.compounds.has((start + end).toLowerCase());
  }
}

interface Heading {
  readonly level: number;
  readonly text: string;
  readonly page: number | null;
  /** Whether a block has come that stands under it. */
  readonly used: boolean;
}

const BETWEEN = ' > ';
/** Deeper than any document that somebody can follow. */
const DEEPEST = 10;

/**
 * The headings that the reader stands under. Each goes out with the blocks below it; one that has nothing below it becomes a block
 * itself, so that no words are lost and none are said twice.
 */
export class Outline {
  private headings: readonly Heading[] = [];

  /** Enters a heading, and with it leaves those of its level and below. @returns the blocks that come of them */
  enter(level: number, text: string, page: number | null = null): readonly DocumentBlock[] {
    const trimmed = text.trim();
    if (trimmed === '') return [];
    const left = this.leave(level);
    this.headings = [...this.headings, { level, text: trimmed, page, used: false }].slice(-DEEPEST);
    return left;
  }

  /** A block that stands here. */
  block(text: string, page: number | null = null): DocumentBlock {
    if (text.trim() !== '') this.headings = this.headings.map((heading) => ({ ...heading, used: true }));
    return { text, page, heading: pathOf(this.headings) };
  }

  /** Leaves the headings of a level and below; all, when the document has ended. */
  leave(level = 0): readonly DocumentBlock[] {
    const kept = this.headings.filter((heading) => heading.level < level);
    const left = this.headings.filter((heading) => heading.level >= level);
    const unused = left.filter((heading) => !heading.used);
    this.headings = kept;
    if (unused.length === 0) return [];
    // What nothing followed goes out as one block, under what is above it.
    const above = pathOf([...kept, ...left.filter((heading) => heading.used)]);
    return [{ text: unused.map((heading) => heading.text).join('\n'), page: unused[0]?.page ?? null, heading: above }];
  }
}

/** The outermost first. */
function pathOf(headings: readonly Heading[]): string | null {
  return headings.length === 0 ? null : headings.map((heading) => heading.text).join(BETWEEN);
}

/** `Name: Ada; Born: 1815` where the columns have names, `Ada | 1815` where they have none. */
export function rowText(cells: readonly string[], header: readonly string[] | undefined): string {
  const seen = cells.map((cell, at) => ({ cell, name: header?.[at] ?? '' }));
  // What spans columns of one name is said once.
  const once = seen.filter(({ cell, name }, at) => {
    const before = seen[at - 1];
    return cell !== '' && !(before?.cell === cell && before.name === name && name !== '');
  });
  if (header === undefined) return once.map(({ cell }) => cell).join(' | ');
  return once.map(({ cell, name }) => (name === '' ? cell : `${name}: ${cell}`)).join('; ');
}
