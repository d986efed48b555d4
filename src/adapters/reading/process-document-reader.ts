import { Injectable } from '@nestjs/common';
import {
  DocumentReader,
  type DocumentBlock,
  type DocumentType,
  type RecognisedDocument,
} from '../../ports/document-reader.js';
import { CollectedBlocks } from './collected-blocks.js';
import { runReading } from './reading-child.js';
import { failureOf } from './reading-failures.js';
import { READING_LIMITS, type ReadingLimits } from './reading-limits.js';
import { ReadingTurns } from './reading-turns.js';
import { recogniseAtAGlance } from './recognise-at-a-glance.js';

/**
 * A process for each document, watched from outside and killed when it breaks a limit. What this process itself does with a
 * stranger's bytes is to compare the first ones.
 */
@Injectable()
export class ProcessDocumentReader extends DocumentReader {
  private readonly limits: ReadingLimits;
  private readonly reads: ReadingTurns;
  private readonly looks: ReadingTurns;

  constructor(limits: Partial<ReadingLimits> = {}) {
    super();
    this.limits = { ...READING_LIMITS, ...limits };
    this.reads = new ReadingTurns(this.limits.documentsAtOnce);
    this.looks = new ReadingTurns(this.limits.looksAtOnce);
  }

  override async recognise(path: string): Promise<RecognisedDocument> {
    return (await recogniseAtAGlance(path)) ?? this.looks.run(() => this.look(path), new AbortController().signal);
  }

  override read(path: string, type: DocumentType, signal: AbortSignal): Promise<readonly DocumentBlock[]> {
    return this.reads.run(() => this.readNow(path, type, signal), signal);
  }

  private async look(path: string): Promise<RecognisedDocument> {
    const { limits } = this;
    const end = await runReading(
      { kind: 'look', path, limits },
      {
        memoryBytes: limits.memoryBytes,
        withinMs: limits.lookMs,
        signal: new AbortController().signal,
        onBlocks: () => false,
      },
    );
    // A look is short, so that it is the machine that was slow, not the file.
    if (end.kind === 'too_slow') throw failureOf({ kind: 'failed', reason: 'the look took too long' }, limits);
    if (end.kind !== 'recognised') throw failureOf(end, limits);
    return end.document;
  }

  private async readNow(path: string, type: DocumentType, signal: AbortSignal): Promise<readonly DocumentBlock[]> {
    const { limits } = this;
    const collected = new CollectedBlocks(limits);
    const end = await runReading(
      { kind: 'read', path, type, limits },
      {
        memoryBytes: limits.memoryBytes,
        withinMs: limits.readMs,
        signal,
        onBlocks: (blocks) => collected.add(blocks),
      },
    );
    signal.throwIfAborted();
    if (end.kind !== 'finished' || collected.blocks.length === 0) throw failureOf(end, limits);
    return collected.blocks;
  }
}
