import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { ProcessDocumentReader } from '../../src/adapters/reading/process-document-reader.js';
import { READING_LIMITS, type ReadingLimits } from '../../src/adapters/reading/reading-limits.js';
import type { DocumentBlock, DocumentReader, DocumentType } from '../../src/ports/document-reader.js';
import { childProcesses } from '../support/child-processes.js';

export const PDF = 'application/pdf';
export const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const TEXT = 'text/plain';

/** A folder of files to read, there for the tests of a file. */
export class DocumentWorld {
  private count = 0;
  private folder = '';

  constructor() {
    beforeAll(async () => {
      this.folder = await mkdtemp(join(tmpdir(), 'documents-'));
    });
    afterAll(() => rm(this.folder, { recursive: true, force: true }));
  }

  /** Writes a file whose name says nothing. */
  async file(bytes: Uint8Array | string): Promise<string> {
    const path = join(this.folder, `upload-${this.count++}`);
    await writeFile(path, bytes);
    return path;
  }

  reader(limits: Partial<ReadingLimits> = {}): DocumentReader {
    return new ProcessDocumentReader(limits);
  }

  /** Reads in this process, which is quick; what only a process of its own can do is tried with `reader`. */
  async read(
    bytes: Uint8Array | string,
    type: DocumentType,
    limits = READING_LIMITS,
  ): Promise<readonly DocumentBlock[]> {
    const { readDocument } = await import('../../src/adapters/reading/read-document.js');
    const read: DocumentBlock[] = [];
    await readDocument({ path: await this.file(bytes), type, limits }, (blocks) => {
      read.push(...blocks);
      return Promise.resolve();
    });
    return read;
  }

  async texts(bytes: Uint8Array | string, type: DocumentType): Promise<readonly string[]> {
    return (await this.read(bytes, type)).map((block) => block.text);
  }

  /** What a process says about a document that it refuses. */
  async refusal(bytes: Uint8Array | string, type: DocumentType, limits: Partial<ReadingLimits> = {}): Promise<unknown> {
    const reading = this.reader(limits).read(await this.file(bytes), type, new AbortController().signal);
    return reading.then(
      (blocks) => ({ blocks: blocks.length }),
      (error: unknown) => error,
    );
  }
}

/** Processes that this one has started to read documents and that still run. */
export async function readersAlive(): Promise<readonly number[]> {
  return (await childProcesses()).filter(({ command }) => command.includes('reading.process')).map(({ pid }) => pid);
}
