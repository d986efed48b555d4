import type { Scored } from './rank-fusion.js';

export interface NearnessRules {
  readonly limit: number;
  /** A near vector fits without a common word. */
  readonly trusted: boolean;
  /** The passages that words have found: these need not be near. */
  readonly known: ReadonlySet<string>;
}

/** No model calls texts related below this. */
const MIN_COSINE = 0.35;
/** What is usual can be told from so many vectors. */
const ENOUGH = 16;
/** Where it can't be told: what related texts have with most models. */
const USUALLY_NEAR = 0.45;
/** Models differ in what unrelated texts have (0.1 with some, 0.75 with others): near is what goes this part of the way from there to 1. */
const PART_OF_THE_WAY = 0.3;

/** The nearest first; scores are cosines. */
export function nearest(all: readonly Scored[], { limit, trusted, known }: NearnessRules): readonly Scored[] {
  const floor = trusted ? floorOf(all) : Infinity;
  return all
    .filter(({ id, score }) => score >= floor || known.has(id))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

function floorOf(all: readonly Scored[]): number {
  if (all.length < ENOUGH) return USUALLY_NEAR;
  const cosines = Float32Array.from(all, ({ score }) => score).sort();
  const usual = cosines[cosines.length >> 1] ?? 0;
  return Math.max(MIN_COSINE, usual + (1 - usual) * PART_OF_THE_WAY);
}
