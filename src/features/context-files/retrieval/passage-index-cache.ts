import type { IndexedPassage, PassageHit, PassageQuery, PassageShelf } from '../../../ports/passage-index.js';
import type { FileId } from '../../../shared/ids.js';
import type { ContextFile } from '../context-file.schema.js';
import { unpackVector } from '../passages/packed-vector.js';
import type { PassageBatch } from '../passages/passage-batch.schema.js';

/** The files that may be searched now, by id. */
export type LiveFiles = ReadonlyMap<FileId, ContextFile>;

export interface ShelfSource {
  readonly batchesOf: (file: ContextFile) => Promise<readonly PassageBatch[]>;
  /** The model that makes the vectors of questions. */
  readonly model: string;
}

/** A company's passages in memory, brought up to date with its files whenever somebody searches. */
export class PassageIndexCache {
  /** Which attempt of each file is on the shelf. */
  private readonly shelved = new Map<FileId, string>();
  private adding: Promise<void> = Promise.resolve();

  constructor(
    private readonly shelf: PassageShelf,
    private readonly source: ShelfSource,
  ) {}

  get size(): number {
    return this.shelf.size;
  }

  /** Adds the files that are missing. Whoever comes while that goes on waits for it, and adds what is missing then. */
  addMissing(files: LiveFiles): Promise<void> {
    const added = this.adding.then(() => this.addEach(files));
    // A failure is its caller's; who comes next tries again.
    this.adding = added.catch(() => undefined);
    return added;
  }

  /** Takes off what is not live any more, at once. */
  removeOthers(files: LiveFiles): void {
    for (const [id, attempt] of this.shelved) {
      if (files.get(id)?.attempt !== attempt) this.takeOff(id, attempt);
    }
  }

  search(query: PassageQuery): readonly PassageHit[] {
    return this.shelf.search(query);
  }

  private async addEach(files: LiveFiles): Promise<void> {
    for (const file of files.values()) {
      const { id, attempt } = file;
      const present = this.shelved.get(id);
      if (attempt === null || present === attempt) continue;
      if (present !== undefined) this.takeOff(id, present);
      await this.add(file, attempt);
    }
  }

  private async add(file: ContextFile, attempt: string): Promise<void> {
    const batches = await this.source.batchesOf(file);
    const passages = batches.flatMap((batch) => this.passagesOf(batch, file.filename));
    // Deleted or replaced since it was listed: what is there now is listed the next time.
    if (passages.length < file.passages) return;
    try {
      await this.shelf.add(passages);
      this.shelved.set(file.id, attempt);
    } catch (error) {
      this.takeOff(file.id, attempt);
      throw error;
    }
  }

  private passagesOf(batch: PassageBatch, filename: string): readonly IndexedPassage[] {
    const isComparable = batch.embeddingModel === this.source.model;
    return batch.passages.map(({ text, heading, vector }, index) => ({
      id: `${batch.id}.${index}`,
      group: groupOf(batch.fileId, batch.attempt),
      heading: searchedHeading(filename, heading),
      text,
      vector: isComparable ? unpackVector(vector) : null,
    }));
  }

  private takeOff(id: FileId, attempt: string): void {
    this.shelf.removeGroup(groupOf(id, attempt));
    this.shelved.delete(id);
  }
}

function groupOf(id: FileId, attempt: string): string {
  return `${id}.${attempt}`;
}

/** The name of a file is the heading of all that is in it: people ask what the handbook says. */
export function searchedHeading(filename: string, heading: string | null): string {
  const name = filename.replace(/\.[^.]{1,5}$/, '').replace(/[_.-]+/g, ' ');
  return heading === null ? name : `${name}\n${heading}`;
}
