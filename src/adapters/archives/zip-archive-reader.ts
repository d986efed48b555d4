import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import {
  ArchiveReader,
  type ArchiveEntry,
  type UnpackedFiles,
  type UnpackOptions,
} from '../../ports/archive-reader.js';
import { KeyedSemaphore } from '../../shared/keyed-semaphore.js';
import { storageError } from '../storage/storage-error.js';
import { formatOf } from './format.js';
import type { ArchiveOrder, ArchiveOutcome } from './archive-protocol.js';
import { ARCHIVE_LIMITS, runArchiveOrder, type ArchiveWatch } from './archive-run.js';

const AT_ONCE = 4;
const MAX_WAITING = 100;

/** ZIP archives and files of other formats, each read in a process of its own that is watched for memory and time. What it unpacks lies in a folder that is empty at every start. */
@Injectable()
export class ZipArchiveReader extends ArchiveReader {
  private readonly turns = new KeyedSemaphore(AT_ONCE, MAX_WAITING, 'unavailable');

  constructor(
    private readonly tempDir: string,
    private readonly limits = ARCHIVE_LIMITS,
  ) {
    super();
  }

  /** Removes what an earlier life left. Only for the one service that works on the folder, before its first archive. */
  async open(): Promise<void> {
    await mkdir(this.tempDir, { recursive: true });
    for (const name of await readdir(this.tempDir))
      await rm(join(this.tempDir, name), { recursive: true, force: true });
  }

  override async isArchive(path: string): Promise<boolean> {
    return (await formatOf(path)) !== 'text';
  }

  override async list(path: string): Promise<readonly ArchiveEntry[]> {
    const outcome = await this.run({ kind: 'list', path }, { signal: new AbortController().signal });
    return outcome.kind === 'listed' ? outcome.entries : [];
  }

  override async unpack(path: string, options: UnpackOptions): Promise<UnpackedFiles> {
    const { headBytes, signal, onProgress, name = '', only = null } = options;
    const folder = await this.folder();
    // What can't be removed now is removed at the next start.
    const discard = (): Promise<void> => rm(folder, { recursive: true, force: true }).catch(() => undefined);
    try {
      const outcome = await this.run({ kind: 'unpack', path, name, only, folder, headBytes }, { signal, onProgress });
      return { files: outcome.kind === 'unpacked' ? outcome.files : [], [Symbol.asyncDispose]: discard };
    } catch (error) {
      await discard();
      throw error;
    }
  }

  private run(order: ArchiveOrder, watch: ArchiveWatch): Promise<Exclude<ArchiveOutcome, { kind: 'failed' }>> {
    return this.turns.run('', () => runArchiveOrder(order, watch, this.limits));
  }

  private async folder(): Promise<string> {
    try {
      await mkdir(this.tempDir, { recursive: true });
      return await mkdtemp(join(this.tempDir, 'archive-'));
    } catch (error) {
      throw storageError(error);
    }
  }
}
