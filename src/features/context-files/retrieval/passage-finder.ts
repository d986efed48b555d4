import { Injectable } from '@nestjs/common';
import { untilAborted } from '../../../shared/until-aborted.js';
import { within } from '../../../shared/within.js';
import type { AnswerSource } from '../../../ports/assistant-answer.js';
import { EmbeddingModel } from '../../../ports/embedding-model.js';
import { Log } from '../../../ports/log.js';
import type { PassageHit } from '../../../ports/passage-index.js';
import { messageOf } from '../../../shared/app-error.js';
import { Deadline } from '../../../shared/deadline.js';
import { asId, type CompanyId } from '../../../shared/ids.js';
import { ContextFileRepository } from '../context-file.repository.js';
import { PassageBatchRepository } from '../passages/passage-batch.repository.js';
import type { StoredPassage } from '../passages/passage-batch.schema.js';
import { type LiveFiles, PassageIndexCaches } from './passage-index-cache.js';

const MOST = 6;
const LONGEST_QUESTION = 2000;
const LONGEST_QUOTE = 1200;
/** A question does not wait longer for passages that are being put on the shelf; what is there by then is searched. */
const SHELF_PATIENCE_MS = 10_000;
/** Nor for its own vector: words decide then. */
const VECTOR_PATIENCE_MS = 5_000;

/** Finds the passages of a company's context files that fit a question. */
@Injectable()
export class PassageFinder {
  constructor(
    private readonly files: ContextFileRepository,
    private readonly batches: PassageBatchRepository,
    private readonly shelves: PassageIndexCaches,
    private readonly model: EmbeddingModel,
    private readonly log: Log,
  ) {}

  /** Best first, at most 6; none when none fits. Of files that are ready at the moment of the search, and of no other. */
  async find(companyId: CompanyId, question: string, signal: AbortSignal): Promise<readonly AnswerSource[]> {
    const before = await this.live(companyId);
    if (before.size === 0) return [];
    const text = question.slice(0, LONGEST_QUESTION);
    const cache = this.shelves.of(companyId);
    const [vector] = await Promise.all([
      this.vectorOf(text, signal),
      within(untilAborted(cache.addMissing(before), signal), SHELF_PATIENCE_MS),
    ]);
    this.shelves.makeRoom();
    // Looked at again, because a file may have been deleted meanwhile.
    const live = await this.live(companyId);
    cache.removeOthers(live);
    const hits = cache.shelf.search({ text, vector, vectorWeight: this.model.weight, limit: MOST });
    const sources = await Promise.all(hits.map((hit) => this.sourceOf(companyId, hit, live)));
    return sources.filter((source) => source !== null);
  }

  private async live(companyId: CompanyId): Promise<LiveFiles> {
    const files = await this.files.ready(companyId);
    return new Map(files.map((file) => [file.id, file]));
  }

  /** The passage as it is stored now: what was removed can't be quoted. */
  private async sourceOf(companyId: CompanyId, { id }: PassageHit, live: LiveFiles): Promise<AnswerSource | null> {
    const [batchId = '', index] = id.split('.');
    const batch = await this.batches.find(companyId, asId(batchId));
    if (batch === null) return null;
    const file = live.get(batch.fileId);
    const passage = batch.passages[Number(index)];
    if (file?.attempt !== batch.attempt || passage === undefined) return null;
    return { fileId: file.id, filename: file.filename, page: passage.page, quote: quoteOf(passage) };
  }

  private async vectorOf(text: string, signal: AbortSignal): Promise<Float32Array | null> {
    using patience = new Deadline(VECTOR_PATIENCE_MS);
    const limited = AbortSignal.any([signal, patience.signal]);
    try {
      const [vector] = await untilAborted(this.model.embed([text], limited), limited);
      return vector ?? null;
    } catch (error) {
      signal.throwIfAborted();
      this.log.warn('a question has no vector, so words alone decide', { reason: messageOf(error) });
      return null;
    }
  }
}

function quoteOf({ heading, text }: StoredPassage): string {
  const whole = heading === null || text.startsWith(heading) ? text : `${heading}\n${text}`;
  // Half a character must not be left at the end.
  return whole.slice(0, LONGEST_QUOTE).replace(/[\uD800-\uDBFF]$/, '');
}
