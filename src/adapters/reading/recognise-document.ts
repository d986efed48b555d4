import { fileTypeFromFile } from 'file-type';
import { openPromise, type ZipFile } from 'yauzl';
import type { RecognisedDocument } from '../../ports/document-reader.js';
import type { ReadingLimits } from './reading-limits.js';
import { bytesOf, recogniseAtAGlance, supported } from './recognise-at-a-glance.js';
import { LOOKED_AT, textEncodingOf } from './text-encoding.js';

/** Of the first file, of an archive without any, of one in several volumes. */
const ZIP_MARKS = ['504b0304', '504b0506', '504b0708'];
/** Of a text in UTF-16 or UTF-32; one of them is also how a frame of MPEG audio may begin. */
const WIDE_MARKS = ['fffe', 'feff'];
const MAIN_PART = /^word\/document\d*\.xml$/;
const CONTENT_TYPES = '[Content_Types].xml';
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const OFFICE: readonly (readonly [folder: string, mediaType: string])[] = [
  ['xl/', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['ppt/', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
];
const UNKNOWN = 'application/octet-stream';

/** Tells what a file is from its first bytes, and of an archive from its directory. */
export async function recogniseDocument(path: string, limits: ReadingLimits): Promise<RecognisedDocument> {
  const seen = await recogniseAtAGlance(path);
  if (seen !== null) return seen;
  const head = await bytesOf(path, LOOKED_AT);
  if (isZip(head)) return recogniseArchive(path, limits);
  const ole = await oleKind(path);
  // Nothing outside tells what is encrypted; read as a Word document it fails with a sentence that helps.
  if (ole !== null) return ole === 'encrypted' ? supported(WORD) : { supported: false, mediaType: ole };
  const known = WIDE_MARKS.includes(head.toString('hex', 0, 2)) ? null : await mediaTypeOf(path);
  if (known === null && textEncodingOf(head) !== null) return supported('text/plain');
  return { supported: false, mediaType: known ?? UNKNOWN };
}

async function recogniseArchive(path: string, { entries }: ReadingLimits): Promise<RecognisedDocument> {
  const parts = await zipDirectory(path, entries);
  if (parts !== null && isWordArchive(parts)) return supported(WORD);
  const office = OFFICE.find(([folder]) => parts?.some(({ name }) => name.startsWith(folder)) === true)?.[1];
  const mediaType = office ?? (await mediaTypeOf(path)) ?? 'application/zip';
  if (mediaType !== WORD) return { supported: false, mediaType };
  // A Word document that was cut off has lost its directory, which reading it will say; one without its text is only an archive.
  return parts === null ? supported(WORD) : { supported: false, mediaType: 'application/zip' };
}

/** Null when nobody knows, or when the file ends before it could be told. */
function mediaTypeOf(path: string): Promise<string | null> {
  return fileTypeFromFile(path).then(
    (known) => known?.mime ?? null,
    () => null,
  );
}

export function isZip(head: Buffer): boolean {
  return ZIP_MARKS.includes(head.toString('hex', 0, 4));
}

export function isWordArchive(parts: readonly ZipPart[]): boolean {
  return parts.some(({ name }) => name === CONTENT_TYPES) && parts.some(({ name }) => MAIN_PART.test(name));
}

export interface ZipPart {
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

/** How an OLE container begins: Office documents of before 2007, and encrypted ones of all times. */
const MARK = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const HEADER_BYTES = 512;
const SECTOR_SHIFT_AT = 30;
const DIRECTORY_AT = 48;
const DIRECTORY_BYTES = 4096;
const ENTRY_BYTES = 128;
const NAME_BYTES = 64;

/** A stream's name tells which program wrote the container. */
const KINDS = {
  EncryptedPackage: 'encrypted',
  WordDocument: 'application/msword',
  Workbook: 'application/vnd.ms-excel',
  Book: 'application/vnd.ms-excel',
  'PowerPoint Document': 'application/vnd.ms-powerpoint',
  '__properties_version1.0': 'application/vnd.ms-outlook',
} as const;

/**
 * What is in an OLE container: a media type, or `encrypted` for an Office document with a password.
 *
 * @returns null when it is none
 */
export async function oleKind(path: string): Promise<string | null> {
  const header = await bytesOf(path, HEADER_BYTES);
  if (header.length < HEADER_BYTES || !header.subarray(0, MARK.length).equals(MARK)) return null;
  const sectorBytes = header.readUInt16LE(SECTOR_SHIFT_AT) === 12 ? 4096 : 512;
  const directory = await bytesOf(path, DIRECTORY_BYTES, (header.readUInt32LE(DIRECTORY_AT) + 1) * sectorBytes);
  const names = new Set<string>();
  for (let at = 0; at < directory.length; at += ENTRY_BYTES) {
    names.add(directory.toString('utf16le', at, at + NAME_BYTES).split('\u0000', 1)[0] ?? '');
  }
  const [, kind] = Object.entries(KINDS).find(([name]) => names.has(name)) ?? [];
  return kind ?? 'application/x-cfb';
}
