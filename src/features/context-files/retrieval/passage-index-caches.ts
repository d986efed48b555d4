import { Injectable } from '@nestjs/common';
import { EmbeddingModel } from '../../../ports/embedding-model.js';
import { PassageIndex } from '../../../ports/passage-index.js';
import type { CompanyId } from '../../../shared/ids.js';
import { MAX_PASSAGES_HELD } from '../context-file.schema.js';
import { PassageBatchRepository } from '../passages/passage-batch.repository.js';
import { PassageIndexCache } from './passage-index-cache.js';

/** The shelves of the companies that searched last, as many as fit into memory. */
@Injectable()
export class PassageIndexCaches {
  /** Who searched longest ago comes first. */
  private readonly shelves = new Map<CompanyId, PassageIndexCache>();

  constructor(
    private readonly index: PassageIndex,
    private readonly batches: PassageBatchRepository,
    private readonly model: EmbeddingModel,
  ) {}

  /** The company's shelf, as it was left; empty the first time. */
  of(companyId: CompanyId): PassageIndexCache {
    const shelf = this.shelves.get(companyId) ?? this.newShelf();
    this.shelves.delete(companyId);
    this.shelves.set(companyId, shelf);
    return shelf;
  }

  /** Lets go of the shelves that were not used for the longest time, when all together hold too much; never of the last used. */
  makeRoom(): void {
    let held = [...this.shelves.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [companyId, { size }] of [...this.shelves].slice(0, -1)) {
      if (held <= MAX_PASSAGES_HELD) return;
      this.shelves.delete(companyId);
      held -= size;
    }
  }

  private newShelf(): PassageIndexCache {
    return new PassageIndexCache(this.index.newShelf(), {
      batchesOf: (file) => this.batches.of(file),
      model: this.model.name,
    });
  }
}
