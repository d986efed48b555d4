import type { Computed, Measure } from '../../../ports/analysis-plan.js';
import { computedWords, measureWords } from '../measure-words.js';
import { joined } from '../number-words.js';
import { said, type Aggregation, type Row, type Telling } from './telling.js';

/** More winners than these are counted. */
const NAMED_WINNERS = 3;

export type Figure = Measure | Computed;

/** The figure in words. */
export function figureWords(figure: Figure, plan: Aggregation): string {
  return said('aggregate' in figure ? measureWords(figure) : computedWords(figure, plan));
}

/** The groups of a row: `Seattle, March 2014`. */
export function groupWords(telling: Telling<Aggregation>, row: Row | undefined): string {
  return telling.plan.dimensions.map(({ label }) => telling.words(row, label)).join(', ');
}

/** Rows with the same figure as the first of them. */
export function winnersOf(telling: Telling<Aggregation>, rows: readonly Row[], label: string): readonly Row[] {
  const best = telling.cell(rows[0], label);
  return rows.filter((row) => telling.cell(row, label) === best);
}

/** `**Seattle** and **New York**`. */
export function namesOf(telling: Telling<Aggregation>, rows: readonly Row[]): string {
  const named = rows.slice(0, NAMED_WINNERS).map((row) => `**${groupWords(telling, row)}**`);
  const rest = rows.length - named.length;
  return rest > 0 ? `${named.join(', ')} and ${rest} more` : joined(named);
}
