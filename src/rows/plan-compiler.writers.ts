import type { PlanColumn } from '../plan/plan-columns.js';
import { assertFinite, storable } from '../plan/plan-values.js';
import { quotedName, quotedText } from './sandbox-names.js';

export type PlanValue = string | number | boolean | null;

/** Writes the parts of a query that differ between what runs and what is shown. */
export interface PlanWriter {
  /** The table. */
  readonly relation: string;
  /** Whether figures are to be kept from overflowing, at the price of a query that is harder to read. */
  readonly guarded: boolean;
  /** All columns of a relation that holds these. */
  everything(columns: readonly PlanColumn[]): string;
  column(column: PlanColumn): string;
  /** What a column of the result is called in the query. */
  label(label: string): string;
  number(value: number): string;
  text(value: string): string;
  boolean(value: boolean): string;
  /** A UTC instant. */
  time(value: Date): string;
}

/** For the query that runs: physical columns, bound values. */
export class BoundWriter implements PlanWriter {
  readonly relation = 'visible';
  private readonly values: PlanValue[] = [];
  private readonly labels: string[] = [];

  constructor(readonly guarded: boolean) {}

  get params(): readonly PlanValue[] {
    return this.values;
  }

  /** One by one, because a relation that is used twice is kept, and should not be kept with columns that nobody reads. */
  everything(columns: readonly PlanColumn[]): string {
    return columns.length === 0 ? '*' : columns.map((column) => this.column(column)).join(', ');
  }

  column(column: PlanColumn): string {
    return quotedName(column.physical);
  }

  /** A name of our own, so that no label can be taken for a column. */
  label(label: string): string {
    const known = this.labels.indexOf(label);
    return `result_${known >= 0 ? known : this.labels.push(label) - 1}`;
  }

  number(value: number): string {
    assertFinite(value);
    if (Number.isSafeInteger(value)) return `${this.bind(value)}::BIGINT`;
    // A whole number without exact neighbours would be bound as an integer, and may be none of 64 bits.
    return `${this.bind(Number.isInteger(value) ? String(value) : value)}::DOUBLE`;
  }

  text(value: string): string {
    return `${this.bind(storable(value))}::VARCHAR`;
  }

  boolean(value: boolean): string {
    return `${this.bind(value)}::BOOLEAN`;
  }

  time(value: Date): string {
    return `${this.bind(sqlTime(value))}::TIMESTAMP`;
  }

  private bind(value: PlanValue): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** For the query that is shown: the header's names, the values in place. */
export class PlainWriter implements PlanWriter {
  readonly relation = 'data';

  constructor(readonly guarded: boolean) {}

  everything(): string {
    return '*';
  }

  column(column: PlanColumn): string {
    return quotedName(column.visible);
  }

  label(label: string): string {
    return quotedName(label);
  }

  number(value: number): string {
    assertFinite(value);
    // A fraction would be read as a decimal, which compares with a large integer only up to its own width.
    return Number.isSafeInteger(value) ? String(value) : `${String(value)}::DOUBLE`;
  }

  text(value: string): string {
    return quotedText(storable(value));
  }

  boolean(value: boolean): string {
    return String(value);
  }

  time(value: Date): string {
    return `TIMESTAMP ${quotedText(sqlTime(value).replace(/(?: 00:00:00)?\.000$/, ''))}`;
  }
}

function sqlTime(value: Date): string {
  return value.toISOString().replace('T', ' ').replace('Z', '');
}
