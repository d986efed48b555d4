import { isRecord } from '../../shared/json.js';
import type { WordNode } from './word-tree.js';

const DEEPEST = 8;

/** Counts the items of ordered lists: a Word document says that an item has a number, not which. */
export class WordListNumbers {
  /** By the definition of a list's level, which is the same object for all its items. */
  private readonly counts = new Map<object, { readonly level: number; count: number }>();

  /** `- ` or `3. `, drawn in by its level; empty for what is no item of a list. */
  markOf(paragraph: WordNode): string {
    const { numbering } = paragraph;
    if (!isRecord(numbering)) return '';
    const level = Math.min(Number(numbering['level']) || 0, DEEPEST);
    // An item further out begins the numbers below it anew.
    for (const [list, other] of this.counts) if (other.level > level) this.counts.delete(list);
    const indent = '  '.repeat(level);
    return numbering['isOrdered'] === true ? `${indent}${this.next(numbering, level)}. ` : `${indent}- `;
  }

  private next(list: object, level: number): number {
    const counted = this.counts.get(list) ?? { level, count: 0 };
    counted.count++;
    this.counts.set(list, counted);
    return counted.count;
  }
}
