import { AppError } from '../shared/app-error.js';
import { IMPORT_THREADS } from './base-file.js';
import { isOutOfMemory } from './process-error.js';

/** From here on, to improve a statement takes longer than what it saves: at 2,000 columns 80 seconds instead of 3. */
const MOST_IMPROVED = 100;
/** For the intermediate values of one column in one thread, at most. */
const MEGABYTES_PER_COLUMN = 0.35;
/** Of an import's memory; the rest is for the rows. */
const SHARE_FOR_VALUES = 0.6;

/** What is set before the texts of so many columns are read as values, and what puts it back. */
export interface WidthSettings {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Wide tables are read by statements of megabytes, and need memory for each column in each thread. */
export function settingsForWidth(columns: number, memoryMb: number): WidthSettings {
  if (columns <= MOST_IMPROVED) return { before: [], after: [] };
  const forValues = columns * MEGABYTES_PER_COLUMN * IMPORT_THREADS;
  const threads = forValues > memoryMb * SHARE_FOR_VALUES ? 1 : IMPORT_THREADS;
  return {
    before: ['PRAGMA disable_optimizer', `SET threads = ${threads}`],
    after: ['PRAGMA enable_optimizer', `SET threads = ${IMPORT_THREADS}`],
  };
}

/** When the columns were too many for the memory, the error says so, and who can do something about it. */
export function sayingHowWide(error: unknown, columns: number): unknown {
  if (columns <= MOST_IMPROVED || !isOutOfMemory(error)) return error;
  return new AppError(
    'unavailable',
    `not enough memory to import ${columns} columns; an operator can allow imports more (IMPORT_MEMORY_MB)`,
    { cause: error },
  );
}
