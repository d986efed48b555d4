import { Injectable } from '@nestjs/common';
import type { DocumentBlock } from '../../../ports/document-reader.js';
import { EmbeddingModel } from '../../../ports/embedding-model.js';
import { IdSource } from '../../../ports/id-source.js';
import { FatalJobError } from '../../../ports/job-queue.js';
import { AppError, isAppError } from '../../../shared/app-error.js';
import { ContextFileRepository } from '../context-file.repository.js';
import { type ContextFile, MAX_PASSAGES } from '../context-file.schema.js';
import { DocumentFiles } from '../files/document-files.js';
import { packVector } from '../passages/packed-vector.js';
import { cutPassages } from '../passages/passage-cutter.js';
import { PassageBatchRepository } from '../passages/passage-batch.repository.js';
import type { Passage } from '../passages/passage-batch.schema.js';
import type { Processed } from './context-file-lease.js';

/** Passages that are embedded and stored at once. */
const BATCH = 64;

interface CutDocument {
  readonly passages: readonly Passage[];
  readonly pages: number | null;
}

/** Makes a document passages with vectors. What it writes counts from when the file's record names its attempt. */
@Injectable()
export class DocumentProcessing {
  constructor(
    private readonly files: ContextFileRepository,
    private readonly documents: DocumentFiles,
    private readonly batches: PassageBatchRepository,
    private readonly embedding: EmbeddingModel,
    private readonly ids: IdSource,
  ) {}

  /** The name of the model that makes vectors now. */
  get model(): string {
    return this.embedding.name;
  }

  /**
   * Reads a pending file; of one that is ready only the vectors are made again.
   *
   * @throws FatalJobError when trying again would not help; AppError `unavailable` when it might.
   */
  async process(file: ContextFile, signal: AbortSignal): Promise<Processed> {
    const cut = file.status === 'ready' ? await this.storedPassages(file) : await this.read(file, signal);
    await this.assertRoom(file, cut.passages.length);
    return {
      attempt: await this.write(file, cut.passages, signal),
      passages: cut.passages.length,
      embeddingModel: this.model,
      pages: cut.pages,
      collectionId: await this.batches.collectionOf(file.companyId),
    };
  }

  private async read(file: ContextFile, signal: AbortSignal): Promise<CutDocument> {
    let blocks: readonly DocumentBlock[];
    try {
      blocks = await this.documents.read(file, signal);
    } catch (error) {
      // What is wrong with the file is wrong with it tomorrow too.
      if (isAppError(error, 'invalid_input')) throw new FatalJobError(error.message, { cause: error });
      throw error;
    }
    const passages = pagesApart(blocks).flatMap(cutPassages);
    if (passages.length === 0) throw new FatalJobError('no text in this file');
    return { passages, pages: pagesOf(blocks) };
  }

  private async storedPassages(file: ContextFile): Promise<CutDocument> {
    const batches = await this.batches.of(file);
    return { passages: batches.flatMap(({ passages }) => passages), pages: file.pages };
  }

  /** Everything of a company is searched in memory. */
  private async assertRoom(file: ContextFile, wanted: number): Promise<void> {
    const others = (await this.files.ready(file.companyId)).filter(({ id }) => id !== file.id);
    const held = others.reduce((sum, { passages }) => sum + passages, 0);
    if (held + wanted <= MAX_PASSAGES) return;
    throw new FatalJobError(
      `too much text: this file has ${wanted} passages, and the company's context files may have ${MAX_PASSAGES} together, of which ${held} are taken`,
    );
  }

  /** The attempt that was written. @throws AppError `unavailable` when the model is away; then nothing of it is kept. */
  private async write(file: ContextFile, passages: readonly Passage[], signal: AbortSignal): Promise<string> {
    const attempt = this.ids.token();
    // What an attempt left behind that was cut would only take room.
    await this.batches.removeOthers(file);
    try {
      for (let from = 0; from < passages.length; from += BATCH) {
        await this.writeBatch({ file, attempt, place: from / BATCH }, passages.slice(from, from + BATCH), signal);
      }
    } catch (error) {
      // What stays when even that fails is removed by the next attempt.
      await this.batches.removeAttempt(file, attempt).catch(() => undefined);
      throw error;
    }
    return attempt;
  }

  private async writeBatch(
    { file, attempt, place }: { readonly file: ContextFile; readonly attempt: string; readonly place: number },
    passages: readonly Passage[],
    signal: AbortSignal,
  ): Promise<void> {
    const vectors = await this.embedding.embed(passages.map(embeddedText), signal);
    signal.throwIfAborted();
    await this.batches.insert({
      id: this.ids.next(),
      companyId: file.companyId,
      fileId: file.id,
      attempt,
      place,
      embeddingModel: this.embedding.name,
      dimension: vectors[0]?.length ?? 0,
      passages: passages.map(({ text, page, lastPage, heading }, index) => {
        const vector = vectors[index];
        if (vector === undefined) throw new AppError('unavailable', 'the embedding model left passages out');
        return { text, page, lastPage, heading, vector: packVector(vector) };
      }),
    });
  }
}

/** The heading says what a passage is about that does not say so itself. */
function embeddedText({ heading, text }: Passage): string {
  return heading === null ? text : `${heading}\n${text}`;
}

/** A passage stays on one page, so that the page that an answer cites is the page where it stands. */
function pagesApart(blocks: readonly DocumentBlock[]): readonly (readonly DocumentBlock[])[] {
  const pages: DocumentBlock[][] = [];
  for (const block of blocks) {
    const page = pages.at(-1);
    if (page?.[0]?.page === block.page) page.push(block);
    else pages.push([block]);
  }
  return pages;
}

function pagesOf(blocks: readonly DocumentBlock[]): number | null {
  let last: number | null = null;
  for (const { page } of blocks) if (page !== null && page > (last ?? 0)) last = page;
  return last;
}
