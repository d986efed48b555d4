import type { DocumentBlock } from '../../ports/document-reader.js';
import type { ReadingLimits } from './reading-limits.js';

/** The pieces of one document as they arrive. The process that sends them counts as well, but is not trusted to. */
export class CollectedBlocks {
  readonly blocks: DocumentBlock[] = [];
  private characters = 0;

  constructor(private readonly limits: ReadingLimits) {}

  /** @returns whether there is room for them, and for more */
  add(blocks: readonly DocumentBlock[]): boolean {
    for (const block of blocks) {
      this.characters += block.text.length;
      this.blocks.push(block);
    }
    return this.characters <= this.limits.characters && this.blocks.length <= this.limits.blocks;
  }
}
