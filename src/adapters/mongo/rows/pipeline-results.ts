import type { Cell, ResultColumn } from '../../../ports/table.js';
import type { Stage } from './mongo-table.js';
import { isPlainName, type Term } from './pipeline-terms.js';
import type { PipelineWriter } from './pipeline-writers.js';

/** A pipeline and what it gives. */
export interface Result {
  readonly stages: readonly Stage[];
  /** Where each column is found in a row of the result. */
  readonly fields: readonly string[];
  readonly columns: readonly ResultColumn[];
  /** The one row that there is when the pipeline finds nothing; null: none. */
  readonly empty: readonly Cell[] | null;
}

/**
 * The last stages: rows that have the results under their names, and nothing else.
 *
 * @param isTidy the rows have the fields and nothing else already
 */
export function resultStages(names: readonly string[], writer: PipelineWriter, isTidy: boolean): readonly Stage[] {
  const named = names.map((name) => [writer.named(name), writer.label(name)] as const);
  if (isTidy && named.every(([name, field]) => name === field)) return [];
  return [{ $replaceWith: documentOf(named.map(([name, field]) => [name, `$${field}`] as const)) }];
}

/** A document with names that may be anything. */
export function documentOf(entries: readonly (readonly [string, Term])[]): Term {
  const isPlain = entries.every(([name]) => isPlainName(name));
  if (isPlain) return Object.fromEntries(entries);
  return {
    $arrayToObject: [entries.map(([name, value]) => ({ k: { $literal: name }, v: { $ifNull: [value, null] } }))],
  };
}
