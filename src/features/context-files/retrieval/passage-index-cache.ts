import { Injectable } from '@nestjs/common';
import { EmbeddingModel } from '../../../ports/embedding-model.js';
import { PassageIndex, type IndexedPassage, type PassageShelf } from '../../../ports/passage-index.js';
import type { CompanyId, FileId } from '../../../shared/ids.js';
import { type ContextFile, MAX_PASSAGES_HELD } from '../context-file.schema.js';
import { unpackVector } from '../passages/packed-vector.js';
import { PassageBatchRepository } from '../passages/passage-batch.repository.js';
import type { PassageBatch } from '../passages/passage-batch.schema.js';

/** The files that may be searched now, by id. */
export type LiveFiles = ReadonlyMap<FileId, ContextFile>;

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
    const cache =
      this.shelves.get(companyId) ?? new PassageIndexCache(this.index.newShelf(), this.batches, this.model.name);
    this.shelves.delete(companyId);
    this.shelves.set(companyId, cache);
    return cache;
  }

  /** Lets go of the shelves that were not used for the longest time, when all together hold too much; never of the last used. */
  makeRoom(): void {
    let held = [...this.shelves.values()].reduce((sum, { shelf }) => sum + shelf.size, 0);
    for (const [companyId, { shelf }] of [...this.shelves].slice(0, -1)) {
      if (held <= MAX_PASSAGES_HELD) return;
      this.shelves.delete(companyId);
      held -= shelf.size;
    }
  }
}

/** A company's passages in memory, brought up to date with its files whenever somebody searches. */
class PassageIndexCache {
  /** The attempts at files whose passages are on the shelf. */
  private readonly groups = new Set<string>();
  private adding: Promise<void> = Promise.resolve();

  constructor(
    readonly shelf: PassageShelf,
    private readonly batches: PassageBatchRepository,
    /** The model that makes the vectors of questions. */
    private readonly model: string,
  ) {}

  /** Adds the files that are missing. Whoever comes while that goes on waits for it, and adds what is missing then. */
  addMissing(files: LiveFiles): Promise<void> {
    const added = this.adding.then(() => this.addEach(files));
    // A failure is its caller's; who comes next tries again.
    this.adding = added.catch(() => undefined);
    return added;
  }

  /** Takes off what is not live any more, at once. */
  removeOthers(files: LiveFiles): void {
    const live = new Set([...files.values()].map(groupOf));
    for (const group of this.groups) if (!live.has(group)) this.takeOff(group);
  }

  private async addEach(files: LiveFiles): Promise<void> {
    for (const file of files.values()) if (!this.groups.has(groupOf(file))) await this.add(file);
  }

  private async add(file: ContextFile): Promise<void> {
    const group = groupOf(file);
    const batches = await this.batches.of(file);
    const passages = batches.flatMap((batch) => this.passagesOf(batch, group, file.filename));
    // Deleted or replaced since it was listed: what is there now is listed the next time.
    if (passages.length < file.passages) return;
    try {
      await this.shelf.add(passages);
      this.groups.add(group);
    } catch (error) {
      this.takeOff(group);
      throw error;
    }
  }

  private passagesOf(batch: PassageBatch, group: string, filename: string): readonly IndexedPassage[] {
    const isComparable = batch.embeddingModel === this.model;
    return batch.passages.map(({ text, heading, vector }, index) => ({
      id: `${batch.id}.${index}`,
      group,
      heading: searchedHeading(filename, heading),
      text,
      vector: isComparable ? unpackVector(vector) : null,
    }));
  }

  private takeOff(group: string): void {
    this.shelf.removeGroup(group);
    this.groups.delete(group);
  }
}

/** A file that is live has an attempt. */
function groupOf({ id, attempt }: ContextFile): string {
  return `${id}.${attempt ?? ''}`;
}

/** The name of a file is the heading of all that is in it: people ask what the handbook says. */
export function searchedHeading(filename: string, heading: string | null): string {
  const name = filename.replace(/\.[^.]{1,5}$/, '').replace(/[_.-]+/g, ' ');
  return heading === null ? name : `${name}\n${heading}`;
}
