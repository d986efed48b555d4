import type { PlainDocument } from '../documents/schema-rules.js';
import type { Candidate } from './document-scanner.js';
import type { Comparator } from './document-matching.js';

export interface HarvestOptions {
  readonly skip: number;
  readonly limit: number;
  /** `null`: any order will do. */
  readonly order: Comparator | null;
  /** The candidates come group by group in the order asked for; only within a group it is left to do. */
  readonly grouped: boolean;
}

/** Keeps the first documents of an order out of many, and no more of them in memory than it must. */
export class Harvest {
  readonly #options: HarvestOptions;
  readonly #wanted: number;
  readonly #done: PlainDocument[] = [];
  #open: PlainDocument[] = [];
  #group = '';

  constructor(options: HarvestOptions) {
    this.#options = options;
    this.#wanted = options.skip + options.limit;
  }

  /** Takes the next one. `false`: enough, no further one can matter. */
  take({ document, group }: Candidate): boolean {
    if (this.#options.order === null) {
      this.#done.push(document);
      return this.#done.length < this.#wanted;
    }
    if (this.#options.grouped && group !== this.#group) {
      this.#closeGroup();
      this.#group = group;
      if (this.#done.length >= this.#wanted) return false;
    }
    this.#open.push(document);
    this.#dropSurplus();
    return true;
  }

  result(): readonly PlainDocument[] {
    this.#closeGroup();
    return this.#done.slice(this.#options.skip, this.#wanted);
  }

  #closeGroup(): void {
    this.#sortOpen();
    for (const document of this.#open) this.#done.push(document);
    this.#open = [];
  }

  #dropSurplus(): void {
    const missing = this.#wanted - this.#done.length;
    if (this.#open.length < missing * 2 + 1000) return;
    this.#sortOpen();
    this.#open.length = Math.max(missing, 0);
  }

  #sortOpen(): void {
    if (this.#options.order !== null && this.#open.length > 1) this.#open.sort(this.#options.order);
  }
}
