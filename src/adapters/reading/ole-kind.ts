import { open } from 'node:fs/promises';

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
  const file = await open(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0);
    if (bytesRead < HEADER_BYTES || !header.subarray(0, MARK.length).equals(MARK)) return null;
    const sectorBytes = header.readUInt16LE(SECTOR_SHIFT_AT) === 12 ? 4096 : 512;
    const directory = Buffer.alloc(DIRECTORY_BYTES);
    await file.read(directory, 0, DIRECTORY_BYTES, (header.readUInt32LE(DIRECTORY_AT) + 1) * sectorBytes);
    return kindOf(namesIn(directory));
  } finally {
    await file.close();
  }
}

function namesIn(directory: Buffer): ReadonlySet<string> {
  const names = new Set<string>();
  for (let at = 0; at < directory.length; at += ENTRY_BYTES) {
    const [name = ''] = directory.toString('utf16le', at, at + NAME_BYTES).split('\u0000', 1);
    names.add(name);
  }
  return names;
}

function kindOf(names: ReadonlySet<string>): string {
  const [, kind] = Object.entries(KINDS).find(([name]) => names.has(name)) ?? [];
  return kind ?? 'application/x-cfb';
}
