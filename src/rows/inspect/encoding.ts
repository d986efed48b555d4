import { AppError } from '../../shared/app-error.js';
import { wideEncodingOf, withoutCutEnd } from '../../shared/text-bytes.js';
import { narrowEncodingOf } from '../../shared/text-encoding.js';

/** Above this share of control characters it is no text. */
const MOST_CONTROLS = 0.02;
/** Cells are no sentences: a guess below this is as likely to be wrong as right. */
const SURE_ENOUGH = 40;

/**
 * Tells the encoding from a file's bytes, as a name that iconv knows: a byte order mark, else zero bytes in every second place, else
 * UTF-8 if it is valid, else a guess among the 8-bit and Asian ones.
 *
 * @throws AppError `invalid_input` when the bytes are no text
 */
export function encodingOf(head: Buffer, later: readonly Buffer[]): string {
  const wide = wideEncodingOf(head);
  if (wide?.startsWith('utf-32') === true) throw unusable('the file is written in UTF-32; save it as UTF-8');
  if (wide !== null) return wide;
  const all = [head, ...later];
  for (const bytes of all) assertText(bytes);
  return narrowEncodingOf(
    later.length === 0 ? all : [withoutCutEnd(head), ...later.map(withoutCutCharacters)],
    SURE_ENOUGH,
  );
}

/** A control character may part the cells: the most frequent one counts only when it is nearly everything. */
function assertText(bytes: Buffer): void {
  if (bytes.includes(0)) throw unusable('this is a binary file, not a CSV');
  const counts = new Uint32Array(256);
  let controls = 0;
  for (const byte of bytes) {
    // Below the space and neither tab, line break, form feed nor the 0x1A with which DOS ends a file.
    if (byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0x1a) continue;
    counts[byte] = (counts[byte] ?? 0) + 1;
    controls++;
  }
  const parting = Math.max(...counts);
  const isBinary = parting > bytes.length / 2 || controls - parting > bytes.length * MOST_CONTROLS;
  if (isBinary) throw unusable('this is a binary file, not a CSV');
}

function withoutCutCharacters(sample: Buffer): Buffer {
  let start = 0;
  while (start < 4 && ((sample[start] ?? 0) & 0xc0) === 0x80) start++;
  return withoutCutEnd(sample.subarray(start));
}

/** How files that are no text begin, and what to call them. */
const KINDS: readonly (readonly [kind: string, beginning: Buffer])[] = [
  ['a PDF document', Buffer.from('%PDF-')],
  ['a PNG image', Buffer.from([0x89, 0x50, 0x4e, 0x47])],
  ['a JPEG image', Buffer.from([0xff, 0xd8, 0xff])],
  ['a GIF image', Buffer.from('GIF8')],
  ['a RIFF file (WebP, WAV or AVI)', Buffer.from('RIFF')],
  ['a TIFF image', Buffer.from([0x49, 0x49, 0x2a, 0x00])],
  ['a gzip archive', Buffer.from([0x1f, 0x8b])],
  ['a bzip2 archive', Buffer.from('BZh91AY')],
  ['an xz archive', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a])],
  ['a zstd archive', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
  ['a 7z archive', Buffer.from([0x37, 0x7a, 0xbc, 0xaf])],
  ['a RAR archive', Buffer.from('Rar!')],
  ['an old Office document (XLS)', Buffer.from([0xd0, 0xcf, 0x11, 0xe0])],
  ['a Parquet file', Buffer.from('PAR1')],
  ['an SQLite database', Buffer.from('SQLite format 3')],
  ['a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46])],
];

const ZIP = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
const EMPTY_ZIP = Buffer.from([0x50, 0x4b, 0x05, 0x06]);

/** @throws AppError `invalid_input` when the bytes are those of another kind of file */
export function assertNoOtherKind(head: Buffer): void {
  if (head.length === 0) throw unusable('the file is empty');
  const kind = zipKind(head) ?? KINDS.find(([, beginning]) => beginsWith(head, beginning))?.[0];
  if (kind !== undefined) throw unusable(`this is ${kind}, not a CSV`);
}

/** @throws AppError `invalid_input` when the text is empty or written in another notation */
export function assertTable(text: string): void {
  if (text.trim() === '') throw unusable('the file holds nothing but white space');
  if (/^[[\]{},\s]+$/.test(text)) throw unusable('this is a JSON document without records');
  const begin = text.slice(0, 1000).trimStart();
  if (/^<(\?xml|!doctype|html|svg)\b/i.test(begin)) throw unusable('this is an XML or HTML document, not a CSV');
  if (/^(\[\s*)?\{\s*"[^"\n]*"\s*:/.test(begin)) throw unusable('this is a JSON document, not a CSV');
}

/** A sentence that says why the file can't be used. */
export function unusable(sentence: string): AppError {
  return new AppError('invalid_input', sentence);
}

function zipKind(head: Buffer): string | undefined {
  if (!beginsWith(head, ZIP) && !beginsWith(head, EMPTY_ZIP)) return undefined;
  const begin = head.subarray(0, 8192).toString('latin1');
  if (/xl\/(workbook|worksheets|_rels)|spreadsheetml/.test(begin)) return 'an Excel workbook (XLSX)';
  if (/\[Content_Types\]\.xml|word\/|ppt\//.test(begin)) return 'an Office document';
  return 'a ZIP archive';
}

function beginsWith(bytes: Buffer, beginning: Buffer): boolean {
  return bytes.subarray(0, beginning.length).equals(beginning);
}
