import type { DocumentBlock } from '../../ports/document-reader.js';
import { cleanLines, cleanText } from './clean-text.js';
import type { ReadingLimits } from './reading-limits.js';
import { tooManyBlocks, tooMuchText } from './refusal.js';

/** Characters and blocks that travel together. */
const PIECE_CHARACTERS = 128 * 1024;
const PIECE_BLOCKS = 2000;
const LONGEST_HEADING = 300;

/** Resolves when the next may come. */
export type SendBlocks = (blocks: readonly DocumentBlock[]) => Promise<void>;

/** Cleans blocks, counts them and sends them on in pieces, one at a time, so that nothing piles up. */
export class BlockSender {
  /** Whether anything was worth sending. */
  isEmpty = true;
  private piece: DocumentBlock[] = [];
  private pieceCharacters = 0;
  private characters = 0;
  private blocks = 0;

  constructor(
    private readonly limits: ReadingLimits,
    private readonly send: SendBlocks,
  ) {}

  /** @throws Refusal when it is more than the limits allow */
  async add(block: DocumentBlock): Promise<void> {
    const text = cleanLines(block.text);
    if (text === '') return;
    this.count(text);
    this.piece.push({ text, page: block.page, heading: cleanHeading(block.heading) });
    if (this.pieceCharacters >= PIECE_CHARACTERS || this.piece.length >= PIECE_BLOCKS) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.piece.length === 0) return;
    await this.send(this.piece);
    this.piece = [];
    this.pieceCharacters = 0;
  }

  private count(text: string): void {
    this.isEmpty = false;
    this.blocks++;
    this.characters += text.length;
    this.pieceCharacters += text.length;
    if (this.characters > this.limits.characters) throw tooMuchText(this.limits);
    if (this.blocks > this.limits.blocks) throw tooManyBlocks(this.limits);
  }
}

function cleanHeading(heading: string | null): string | null {
  const text = heading === null ? '' : cleanText(heading);
  // The last part is the nearest heading, and says most.
  return text === '' ? null : text.slice(-LONGEST_HEADING);
}
