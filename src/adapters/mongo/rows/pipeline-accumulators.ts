import type { ColumnScale, Stage } from './mongo-table.js';
import { type Term, when } from './pipeline-terms.js';
import type { PipelineWriter } from './pipeline-writers.js';

/** What is collected of each group of rows, each thing once, however many figures are made of it. */
export class Accumulators {
  private readonly collected = new Map<string, { readonly name: string; readonly accumulator: Term }>();
  private readonly lists = new Map<string, string>();
  private readonly prepared = new Map<string, { readonly name: string; readonly term: Term }>();

  constructor(private readonly writer: PipelineWriter) {}

  /** Where the numbers of a value lie; null: it is not known. */
  scaleOf(of: Term): ColumnScale | null {
    return this.writer.scaleOf(of);
  }

  /** The value that an accumulator gives. */
  take(name: string, accumulator: Term): string {
    const key = JSON.stringify(accumulator);
    const known = this.collected.get(key) ?? { name: this.writer.fresh(name), accumulator };
    this.collected.set(key, known);
    return `$${known.name}`;
  }

  /** A value of each row that several things are collected of, worked out once. */
  each(name: string, term: Term): string {
    const key = JSON.stringify(term);
    const known = this.prepared.get(key) ?? { name: this.writer.fresh(name), term };
    this.prepared.set(key, known);
    return `$${known.name}`;
  }

  /** How many rows fit. */
  count(condition: Term | null): string {
    return this.take('count', { $sum: condition === null ? 1 : when(condition, 1, 0) });
  }

  /** All values that are there, sorted. */
  sorted(of: Term): string {
    const list = this.take('values', { $push: of });
    this.lists.set(list.slice(1), list);
    return list;
  }

  /** @param key what the rows are grouped by; null for one group */
  stages(key: Term): readonly Stage[] {
    return [...this.preparing(), { $group: { _id: key, ...this.all() } }, ...this.sorting()];
  }

  /** The same for all rows together, beside each of them. */
  windows(): readonly Stage[] {
    return [...this.preparing(), { $setWindowFields: { output: this.all() } }, ...this.sorting()];
  }

  private preparing(): readonly Stage[] {
    const fields = [...this.prepared.values()].map(({ name, term }) => [name, term] as const);
    return fields.length === 0 ? [] : [{ $set: Object.fromEntries(fields) }];
  }

  private all(): Readonly<Record<string, Term>> {
    return Object.fromEntries([...this.collected.values()].map(({ name, accumulator }) => [name, accumulator]));
  }

  private sorting(): readonly Stage[] {
    const lists = [...this.lists].map(([name, list]) => [name, { $sortArray: { input: list, sortBy: 1 } }] as const);
    return lists.length === 0 ? [] : [{ $set: Object.fromEntries(lists) }];
  }
}
