import type { TableColumn } from '../plan/plan-columns.js';
import type { WireBatch } from './engine-protocol.js';
import type { RowBatch, RowTable } from './row-table.schema.js';
import { widened } from './table-shape.js';

/** Batches are kept for the engine up to so many letters; what is more is read again. */
const MOST_LETTERS = 200_000;

/** A table as this instance knows it: its files, and the batches beside them. */
export class TableNow {
  /** The number of the last batch. */
  upTo: number;
  laterRows = 0;
  letters = 0;
  batches = 0;
  /** When the first batch was inserted that is in no file. */
  oldest: Date | null = null;
  columns: readonly TableColumn[];
  /** The batch up to which the engine has been told; it says itself when it has forgotten. */
  told: number;
  /** Somebody has asked the engine about it. */
  isRead = false;
  /** Batches are on their way to the engine, and nobody waits for them. */
  isTelling = false;
  private untold: WireBatch[] = [];
  private untoldLetters = 0;

  constructor(readonly table: RowTable) {
    this.upTo = table.through;
    this.told = table.through;
    this.columns = table.columns;
  }

  /** The rows of all. */
  get rows(): number {
    return this.table.base.rows + this.later;
  }

  /** The rows that are not in the base. */
  get later(): number {
    return (this.table.part?.rows ?? 0) + this.laterRows;
  }

  /** Names the files: others have another name. */
  get key(): string {
    return `${this.table.load}.${this.table.version}`;
  }

  /** Whether it is of these files. */
  isOf({ load, version }: RowTable): boolean {
    return load === this.table.load && version === this.table.version;
  }

  /** Adds the next batch; one that is known already changes nothing. False: one before it is missing. */
  add(batch: RowBatch): boolean {
    if (batch.number !== this.upTo + 1) return batch.number <= this.upTo;
    const { number, rows, wider, at } = batch;
    const data = batch.data ?? '';
    this.upTo = number;
    this.batches += 1;
    this.laterRows += rows;
    this.letters += data.length;
    this.oldest ??= at;
    this.columns = widened(this.columns, wider);
    this.untold.push({ number, rows, wider, data });
    this.untoldLetters += data.length;
    while (this.untoldLetters > MOST_LETTERS) this.dropFirst();
    return true;
  }

  /** The batches above a number, if they are still kept. */
  batchesAbove(number: number): readonly WireBatch[] | null {
    const found = this.untold.filter((batch) => batch.number > number);
    return found.length === this.upTo - number ? found : null;
  }

  /** The engine has the batches up to this one. */
  tell(number: number): void {
    this.told = Math.max(this.told, number);
    while ((this.untold[0]?.number ?? Infinity) <= this.told) this.dropFirst();
  }

  /** The engine has been started again, or has closed the table: it has those up to this one. */
  forgotten(number: number): void {
    this.told = number;
  }

  private dropFirst(): void {
    this.untoldLetters -= this.untold.shift()?.data.length ?? 0;
  }
}
