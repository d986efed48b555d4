import { Injectable } from '@nestjs/common';
import { EmbeddingModel } from '../../../ports/embedding-model.js';
import { IdSource } from '../../../ports/id-source.js';
import { AppError } from '../../../shared/app-error.js';
import type { ContextFile } from '../context-file.schema.js';
import { packVector } from './packed-vector.js';
import { PassageBatchRepository } from './passage-batch.repository.js';
import type { Passage } from './passage-batch.schema.js';

/** What an attempt has written. */
export interface WrittenPassages {
  readonly attempt: string;
  readonly passages: number;
  readonly embeddingModel: string;
}

const BATCH = 64;

/** Embeds passages and stores them. They are the file's only when its record names their attempt. */
@Injectable()
export class PassageWriter {
  constructor(
    private readonly batches: PassageBatchRepository,
    private readonly model: EmbeddingModel,
    private readonly ids: IdSource,
  ) {}

  /** Recorded with what is written from now on. */
  get modelName(): string {
    return this.model.name;
  }

  /** @throws AppError `unavailable` when the embedding model is away; then nothing of the attempt is kept. */
  async write(file: ContextFile, passages: readonly Passage[], signal: AbortSignal): Promise<WrittenPassages> {
    const attempt = this.ids.token();
    // What an attempt left behind that was cut would only take room.
    await this.batches.removeOthers(file, file.attempt);
    try {
      for (let from = 0; from < passages.length; from += BATCH) {
        await this.writeBatch({ file, attempt, place: from / BATCH }, passages.slice(from, from + BATCH), signal);
      }
    } catch (error) {
      // What stays when even that fails is removed by the next attempt.
      await this.batches.removeAttempt(file, attempt).catch(() => undefined);
      throw error;
    }
    return { attempt, passages: passages.length, embeddingModel: this.model.name };
  }

  private async writeBatch(
    { file, attempt, place }: { readonly file: ContextFile; readonly attempt: string; readonly place: number },
    passages: readonly Passage[],
    signal: AbortSignal,
  ): Promise<void> {
    const vectors = await this.model.embed(passages.map(embeddedText), signal);
    signal.throwIfAborted();
    await this.batches.insert({
      id: this.ids.next(),
      companyId: file.companyId,
      fileId: file.id,
      attempt,
      place,
      embeddingModel: this.model.name,
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
