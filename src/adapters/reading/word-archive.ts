import { openPromise, type ZipFile } from 'yauzl';
import { IS_EMPTY, type ReadingLimits, Refusal, withCommas } from './reading-limits.js';
import { headOf, oleKind } from './recognise-at-a-glance.js';

export const DAMAGED_WORD_DOCUMENT = 'the Word document is damaged';
const MAIN_PART = /^word\/document\d*\.xml$/;
const CONTENT_TYPES = '[Content_Types].xml';
/** Of the first file, of an archive without any, of one in several volumes. */
const ZIP_MARKS = ['504b0304', '504b0506', '504b0708'];
/** What is parsed. Pictures and attachments stay packed. */
const PARSED_PART = /\.(?:xml|rels)$/i;
const MEBIBYTE = 1024 * 1024;

export function isWordArchive(parts: readonly ZipPart[]): boolean {
  return parts.some(({ name }) => name === CONTENT_TYPES) && parts.some(({ name }) => MAIN_PART.test(name));
}

export function isZip(head: Buffer): boolean {
  return ZIP_MARKS.includes(head.toString('hex', 0, 4));
}

/**
 * Looks at the archive's directory before anything of it is unpacked. What it declares can be a lie, which the limits of the process
 * are for.
 *
 * @throws Refusal when it is no Word document, or one that must not be unpacked
 */
export async function assertReadableArchive(path: string, limits: ReadingLimits): Promise<void> {
  const head = await headOf(path, 4);
  if (head.length === 0) throw new Refusal(IS_EMPTY);
  if ((await oleKind(path)) === 'encrypted') throw new Refusal('encrypted Word document');
  if (!isZip(head)) throw new Refusal('not a Word document');
  const parts = await zipDirectory(path, limits.entries + 1);
  if (parts === null) throw new Refusal(DAMAGED_WORD_DOCUMENT);
  if (parts.length > limits.entries) {
    throw new Refusal(`the Word document has more than ${withCommas(limits.entries)} parts`);
  }
  if (!isWordArchive(parts)) throw new Refusal('not a Word document');
  assertReadableParts(parts, limits);
}

function assertReadableParts(parts: readonly ZipPart[], { unpackedBytes }: ReadingLimits): void {
  if (parts.some((part) => part.isEncrypted)) throw new Refusal('encrypted Word document');
  const parsed = parts.filter(({ name }) => PARSED_PART.test(name));
  if (parsed.reduce((sum, part) => sum + part.size, 0) > unpackedBytes) {
    throw new Refusal(`the Word document unpacks to more than ${unpackedBytes / MEBIBYTE} MB of text`);
  }
}

interface ZipPart {
  readonly name: string;
  /** Unpacked bytes, as the archive declares them. */
  readonly size: number;
  readonly isEncrypted: boolean;
}

/**
 * The directory of an archive, as far as the first so many parts. Nothing is unpacked.
 *
 * @returns null when it can't be read
 */
export async function zipDirectory(path: string, mostParts: number): Promise<readonly ZipPart[] | null> {
  let zip: ZipFile | null = null;
  try {
    zip = await openPromise(path, { autoClose: false, validateEntrySizes: false, strictFileNames: false });
    const parts: ZipPart[] = [];
    for await (const entry of zip.eachEntry()) {
      parts.push({ name: entry.fileName, size: entry.uncompressedSize, isEncrypted: entry.isEncrypted() });
      if (parts.length >= mostParts) break;
    }
    return parts;
  } catch {
    // What is wrong with it is of no interest: its callers say that it is damaged.
    return null;
  } finally {
    zip?.close();
  }
}
