import { AppError } from '../../shared/app-error.js';
import type { PlanColumn } from './plan-compiler.columns.js';
import { quotedName, quotedText } from './sandbox-names.js';

export type PlanValue = string | number | boolean | null;

/** Writes the parts of a query that differ between what runs and what is shown. */
export interface PlanWriter {
  column(column: PlanColumn): string;
  number(value: number): string;
  text(value: string): string;
  boolean(value: boolean): string;
  /** A UTC instant. */
  time(value: Date): string;
}

/** For the query that runs: physical columns, bound values. */
export class BoundWriter implements PlanWriter {
  private readonly values: PlanValue[] = [];

  get params(): readonly PlanValue[] {
    return this.values;
  }

  column(column: PlanColumn): string {
    return quotedName(column.physical);
  }

  number(value: number): string {
    assertFinite(value);
    return Number.isSafeInteger(value) ? `${this.bind(value)}::BIGINT` : `${this.bind(value)}::DOUBLE`;
  }

  text(value: string): string {
    return `${this.bind(value)}::VARCHAR`;
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
  column(column: PlanColumn): string {
    return quotedName(column.visible);
  }

  number(value: number): string {
    assertFinite(value);
    // A fraction would be read as a decimal, which compares with a large integer only up to its own width.
    return Number.isSafeInteger(value) ? String(value) : `${String(value)}::DOUBLE`;
  }

  text(value: string): string {
    return quotedText(value);
  }

  boolean(value: boolean): string {
    return String(value);
  }

  time(value: Date): string {
    return `TIMESTAMP ${quotedText(sqlTime(value).replace(/(?: 00:00:00)?\.000$/, ''))}`;
  }
}

function assertFinite(value: number): void {
  if (!Number.isFinite(value)) throw new AppError('invalid_input', 'the plan has a number that is not finite');
}

function sqlTime(value: Date): string {
  return value.toISOString().replace('T', ' ').replace('Z', '');
}
