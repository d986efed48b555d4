import type { DocumentBlock } from '../../ports/document-reader.js';

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

  /** All headings that hold here, the outermost first. */
  get path(): string | null {
    return pathOf(this.headings);
  }

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
    return { text, page, heading: this.path };
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

function pathOf(headings: readonly Heading[]): string | null {
  return headings.length === 0 ? null : headings.map((heading) => heading.text).join(BETWEEN);
}
