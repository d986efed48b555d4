import { fileTypeFromFile } from 'file-type';
import type { RecognisedDocument } from '../../ports/document-reader.js';
import type { ReadingLimits } from './reading-limits.js';
import { headOf, oleKind, recogniseAtAGlance, supported } from './recognise-at-a-glance.js';
import { LOOKED_AT, textEncodingOf } from './text-encoding.js';
import { isWordArchive, isZip, zipDirectory } from './word-archive.js';

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
  const head = await headOf(path, LOOKED_AT);
  if (isZip(head)) return recogniseArchive(path, limits);
  const ole = await oleKind(path);
  // Nothing outside tells what is encrypted; read as a Word document it fails with a sentence that helps.
  if (ole !== null) return ole === 'encrypted' ? supported(WORD) : { supported: false, mediaType: ole };
  const known = await mediaTypeOf(path);
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
async function mediaTypeOf(path: string): Promise<string | null> {
  try {
    return (await fileTypeFromFile(path))?.mime ?? null;
  } catch {
    return null;
  }
}
