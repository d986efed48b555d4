/** One context file. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;
/** Files of one request. */
export const MAX_FILES_AT_ONCE = 20;
/** Files of one company. The list shows them all, and what they hold must fit into memory. */
export const MAX_FILES = 1000;
/** Passages of one company, some 5,000 printed pages: all of them are searched in memory. */
export const MAX_PASSAGES = 20_000;
/** Passages of all companies that are held in memory at once, some 13 KB each; who asked longest ago gives way. */
export const MAX_PASSAGES_HELD = 30_000;
/** From the first attempt on. What is not done by then fails. */
export const MAX_PROCESSING_MS = 10 * 60_000;
