/** How little the first place counts more than the second; the value of the method's authors. */
const K = 60;

export interface Scored {
  readonly id: string;
  readonly score: number;
}

export interface Ranking {
  /** Best first. */
  readonly hits: readonly Scored[];
  readonly weight: number;
}

/**
 * Reciprocal rank fusion: puts together rankings whose scores can't be compared. Hits of one score share a place, so that another
 * ranking decides between them. Best first.
 */
export function fused(rankings: readonly Ranking[]): readonly Scored[] {
  const scores = new Map<string, number>();
  for (const { hits, weight } of rankings) {
    let shared = 0;
    for (const [place, { id, score }] of hits.entries()) {
      if (score !== hits[shared]?.score) shared = place;
      scores.set(id, (scores.get(id) ?? 0) + weight / (K + shared + 1));
    }
  }
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score);
}
