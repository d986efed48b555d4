import type { DatasourceId } from '../../../shared/ids.js';
import type { SentRow } from './row-check.js';

export interface Insertion {
  readonly datasourceId: DatasourceId;
  readonly rows: readonly SentRow[];
  /** Names these rows, so that sending them again stores nothing; null: they are stored as often as they are sent. */
  readonly key: string | null;
}

export interface SkippedRow {
  /** Its place in what was sent, from 0. */
  readonly row: number;
  readonly reason: string;
}

export interface Inserted {
  readonly inserted: number;
  readonly skipped: number;
  /** The first 100. */
  readonly skippedSample: readonly SkippedRow[];
  /** The rows had been stored before under the same key; this is what was answered then. */
  readonly replayed: boolean;
}
