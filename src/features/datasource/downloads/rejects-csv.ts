import type { RejectedLine } from '../../../ports/row-engine.js';
import { csvRecord } from '../../../shared/csv-text.js';

const HEADER = ['file', 'line', 'reason', 'text'];
/** Characters that are handed on at once. */
const PIECE = 64 * 1024;

/** Lines that were left out as CSV text, in pieces. */
export async function* rejectsCsv(lines: AsyncIterable<RejectedLine>): AsyncGenerator<string> {
  let piece = csvRecord(HEADER);
  for await (const { file, line, reason, text } of lines) {
    piece += csvRecord([file, line === null ? '' : String(line), reason, text]);
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
