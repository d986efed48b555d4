import { type Entry, open, type ZipFile } from 'yauzl';

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
export function zipDirectory(path: string, mostParts: number): Promise<readonly ZipPart[] | null> {
  return new Promise((resolve) => {
    open(path, { lazyEntries: true, validateEntrySizes: false, strictFileNames: false }, (error, zip) => {
      if (error) resolve(null);
      else collectParts(zip, mostParts, resolve);
    });
  });
}

function collectParts(zip: ZipFile, most: number, resolve: (parts: readonly ZipPart[] | null) => void): void {
  const parts: ZipPart[] = [];
  const end = (): void => {
    zip.close();
    resolve(parts);
  };
  zip.on('entry', (entry: Entry) => {
    parts.push({ name: entry.fileName, size: entry.uncompressedSize, isEncrypted: entry.isEncrypted() });
    if (parts.length >= most) end();
    else zip.readEntry();
  });
  zip.on('end', end);
  zip.on('error', () => {
    zip.close();
    resolve(null);
  });
  zip.readEntry();
}
