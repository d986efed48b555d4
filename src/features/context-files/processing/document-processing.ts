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
import type { Passage, PassageBatch, StoredPassage } from '../passages/passage-batch.schema.js';

/** Passages that are embedded and stored at once. */
const BATCH = 64;

type CutDocument = Pick<ContextFile, 'pages'> & { readonly passages: readonly Passage[] };

/** What a finished processing came to. */
export type Processed = Pick<ContextFile, 'passages' | 'pages' | 'collectionId' | 'embeddingModel'> & {
  readonly attempt: string;
};

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
    const stored = file.status === 'ready' ? (await this.batches.of(file)).flatMap((batch) => batch.passages) : null;
    const { passages, pages } = stored ? { passages: stored, pages: file.pages } : await this.read(file, signal);
    await this.assertRoom(file, passages.length);
    return {
      attempt: await this.write(file, passages, signal),
      passages: passages.length,
      embeddingModel: this.model,
      pages,
      collectionId: await this.files.collectionOf(file.companyId),
    };
  }

  private async read(file: ContextFile, signal: AbortSignal): Promise<CutDocument> {
    const blocks = await this.documents.read(file, signal).catch((error: unknown) => {
      // What is wrong with the file is wrong with it tomorrow too.
      throw isAppError(error, 'invalid_input') ? new FatalJobError(error.message, { cause: error }) : error;
    });
    const passages = cutPassages(blocks);
    if (passages.length === 0) throw new FatalJobError('no text in this file');
    return { passages, pages: pagesOf(blocks) };
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
    const { companyId, id: fileId } = file;
    const attempt = this.ids.token();
    // What an attempt left behind that was cut would only take room.
    await this.batches.removeOthers(file);
    try {
      for (let place = 0; place * BATCH < passages.length; place += 1) {
        const some = passages.slice(place * BATCH, (place + 1) * BATCH);
        const vectors = await this.embedding.embed(some.map(embeddedText), signal);
        signal.throwIfAborted();
        const own = { id: this.ids.next<PassageBatch['id']>(), companyId, fileId, attempt, place };
        const stored = some.map((passage, index) => withVector(passage, vectors[index]));
        const dimension = vectors[0]?.length ?? 0;
        await this.batches.insert({ ...own, embeddingModel: this.model, dimension, passages: stored });
      }
    } catch (error) {
      // What stays when even that fails is removed by the next attempt.
      await this.batches.removeWhere(companyId, { fileId, attempt }).catch(() => undefined);
      throw error;
    }
    return attempt;
  }
}

function withVector(passage: Passage, vector: Float32Array | undefined): StoredPassage {
  if (vector === undefined) throw new AppError('unavailable', 'the embedding model left passages out');
  return { ...passage, vector: packVector(vector) };
}

/** The heading says what a passage is about that does not say so itself. */
function embeddedText({ heading, text }: Passage): string {
  return heading === null ? text : `${heading}\n${text}`;
}

/** The last page; null where the format has none. */
function pagesOf(blocks: readonly DocumentBlock[]): number | null {
  const last = blocks.reduce((most, { page }) => Math.max(most, page ?? 0), 0);
  return last === 0 ? null : last;
}
