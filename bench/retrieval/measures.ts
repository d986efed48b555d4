/** Share of the answers that are among the first `count`; of five when there are more. */
export function recall(found: readonly string[], answers: ReadonlySet<string>, count: number): number {
  const hits = found.slice(0, count).filter((id) => answers.has(id)).length;
  return hits / Math.min(count, answers.size);
}

/** Normalised discounted cumulative gain: 1 when all answers stand first, less the lower they stand. */
export function ndcg(found: readonly string[], answers: ReadonlySet<string>, count: number): number {
  let gain = 0;
  for (const [place, id] of found.slice(0, count).entries()) if (answers.has(id)) gain += 1 / Math.log2(place + 2);
  let best = 0;
  for (let place = 0; place < Math.min(count, answers.size); place += 1) best += 1 / Math.log2(place + 2);
  return gain / best;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
