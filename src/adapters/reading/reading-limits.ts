/** What one document may cost, and how many are read at once. */
export interface ReadingLimits {
  readonly documentsAtOnce: number;
  /** Looks at files are short, and somebody waits for them: they have a line of their own. */
  readonly looksAtOnce: number;
  /** Of the whole process, as its system counts it. */
  readonly memoryBytes: number;
  /** From the start of the process to its last word. */
  readonly readMs: number;
  readonly lookMs: number;
  readonly pages: number;
  readonly characters: number;
  /** Paragraphs, items of lists and rows of tables. */
  readonly blocks: number;
  /** Of an archive: how many files it may have, and how long its texts may be unpacked, in bytes. */
  readonly entries: number;
  readonly unpackedBytes: number;
}

const MEBIBYTE = 1024 * 1024;

export const READING_LIMITS: ReadingLimits = {
  documentsAtOnce: 2,
  looksAtOnce: 1,
  memoryBytes: 600 * MEBIBYTE,
  readMs: 60_000,
  lookMs: 10_000,
  pages: 2000,
  characters: 5_000_000,
  blocks: 250_000,
  entries: 1000,
  unpackedBytes: 50 * MEBIBYTE,
};
