import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { UnpackedFile } from '../../ports/archive-reader.js';
import { refused, shown } from './archive-protocol.js';
import { decompress } from './compressed.js';
import { assertDifferent } from './entry-rules.js';
import { formatOf, type Unpacking } from './format.js';
import { sheetsOf } from './workbook.js';
import { ZipDirectory } from './zip-directory.js';
import { plannedBytes, unpackAll } from './zip-unpacking.js';

const PACKED = /\.(?:gz|zst)$/i;

/** The tables of a file as CSV files in the folder. @throws AppError `invalid_input` that says what is wrong with it, `no_space`. */
export function unpackFile(path: string, name: string, unpacking: Unpacking): Promise<readonly UnpackedFile[]> {
  return new Unpacker(unpacking).open(path, name, { isAlone: true, isPacked: false });
}

interface Place {
  /** It is the upload itself and lies in no archive. */
  readonly isAlone: boolean;
  /** Something was unpacked to get here, which is done once. */
  readonly isPacked: boolean;
}

class Unpacker {
  private written = 0;

  constructor(private readonly unpacking: Unpacking) {}

  async open(path: string, name: string, place: Place): Promise<readonly UnpackedFile[]> {
    const format = await formatOf(path);
    switch (format) {
      case 'zip':
        return this.openZip(path, name, place);
      case 'gzip':
      case 'zstd':
        return this.openPacked(path, name, { format, ...place });
      case 'parquet':
      case 'json':
        return [await this.openTable(path, name, format)];
      case 'text': {
        const { size } = await stat(path);
        return [{ name, size, path, isWhole: true, isConverted: true }];
      }
    }
  }

  private async openZip(path: string, name: string, place: Place): Promise<readonly UnpackedFile[]> {
    await using archive = await ZipDirectory.open(path);
    if (archive.isWorkbook)
      return await sheetsOf(archive, { ...this.unpacking, name, ...place, newPath: this.newPath });
    if (!place.isAlone || place.isPacked) throw refused(`there is an archive in the archive: ${shown(name)}`);
    const { headBytes, onPlan } = this.unpacking;
    const planned = plannedBytes(archive, headBytes);
    onPlan(planned, planned);
    const files: UnpackedFile[] = [];
    for (const file of await unpackAll(archive, this.unpacking, (entry) => this.wants(entry)))
      files.push(...(file.isConverted === true ? await this.openEntry(file) : [file]));
    assertDifferent(files.map((file) => file.name));
    return files;
  }

  /** What is no CSV file was unpacked as it is. */
  private async openEntry({ path, name }: UnpackedFile): Promise<readonly UnpackedFile[]> {
    const opened = await this.open(path, name.replace(PACKED, ''), { isAlone: false, isPacked: false });
    if (opened.every((file) => file.path !== path)) await rm(path);
    return opened;
  }

  private async openPacked(
    path: string,
    name: string,
    { format, isPacked, isAlone }: Place & { readonly format: 'gzip' | 'zstd' },
  ): Promise<readonly UnpackedFile[]> {
    if (isPacked) throw refused(`the file is packed more than once: ${shown(name)}`);
    const to = this.newPath();
    const unpacked = await decompress(path, format, { ...this.unpacking, to });
    const bare = name.replace(PACKED, '');
    if (unpacked.isText) return [{ name: bare, path: to, isConverted: true, ...unpacked }];
    const opened = await this.open(to, bare, { isAlone, isPacked: true });
    if (opened.every((file) => file.path !== to)) await rm(to);
    return opened;
  }

  private async openTable(path: string, name: string, format: 'parquet' | 'json'): Promise<UnpackedFile> {
    // A database is loaded by the few that need one.
    const { readTable } = await import('./typed-tables.js');
    const to = this.newPath();
    const file = await readTable({ ...this.unpacking, path, format, to });
    return { ...file, name, path: to, isConverted: true };
  }

  /** An entry of an archive that is wanted, or has in it what is. */
  private wants(path: string): boolean {
    const { only } = this.unpacking;
    const name = path.replace(PACKED, '');
    return only === null || only.some((one) => one === name || one === path || one.startsWith(`${name}/`));
  }

  private readonly newPath = (): string => join(this.unpacking.folder, `made-${this.written++}.csv`);
}
