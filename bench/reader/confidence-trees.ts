import { leafOf, TREE_DEPTH, TREE_SIZE } from '../../src/analyst/reading/confidence.js';

/** What is known of a reading, and whether it is right. */
export interface Judged {
  readonly features: Float32Array;
  readonly isRight: boolean;
}

const TREES = 400;
const RATE = 0.08;
const BINS = 48;
/** The larger, the less is made of leaves with few readings. */
const STEADY = 40;
const LEAVES = 2 ** TREE_DEPTH;

/** The features in bins of about as many readings each. */
interface Binned {
  /** For each feature the values that part one bin from the next. */
  readonly cuts: readonly Float32Array[];
  /** For each feature the bin of each reading. */
  readonly bins: readonly Uint8Array[];
}

/**
 * Learns how likely a reading is right: decision trees that are added up, each on what those before it miss (Friedman, "Greedy Function
 * Approximation", 2001), with one question for all nodes of a level (Prokhorenkova et al., "CatBoost", 2018). Deterministic.
 */
export function growTrees(judged: readonly Judged[]): Float32Array {
  const binned = binnedOf(judged);
  const trees = new Float32Array(TREES * TREE_SIZE);
  const scores = new Float64Array(judged.length);
  for (let tree = 0; tree < TREES; tree++) {
    const grown = trees.subarray(tree * TREE_SIZE, (tree + 1) * TREE_SIZE);
    const slopes = Float64Array.from(judged, ({ isRight }, index) => (isRight ? 1 : 0) - likelihood(scores[index]!));
    const curves = Float64Array.from(scores, (score) => likelihood(score) * (1 - likelihood(score)));
    grow(grown, binned, slopes, curves);
    for (const [index, { features }] of judged.entries()) scores[index]! += grown[leafOf(features, grown)]!;
  }
  return trees;
}

function likelihood(score: number): number {
  return 1 / (1 + Math.exp(-score));
}

function binnedOf(judged: readonly Judged[]): Binned {
  const size = judged[0]?.features.length ?? 0;
  const cuts = Array.from({ length: size }, (_, feature) => {
    const values = Float32Array.from(judged, ({ features }) => features[feature]!).sort();
    const quantiles = Array.from(
      { length: BINS - 1 },
      (__, bin) => values[Math.floor(((bin + 1) * values.length) / BINS)]!,
    );
    return Float32Array.from(new Set(quantiles)).filter((cut) => cut < values.at(-1)!);
  });
  const bins = cuts.map((own, feature) =>
    Uint8Array.from(judged, ({ features }) => own.findLastIndex((cut) => features[feature]! > cut) + 1),
  );
  return { cuts, bins };
}

/** Level by level takes the question that explains most, and gives each leaf what its readings miss. */
function grow(tree: Float32Array, { cuts, bins }: Binned, slopes: Float64Array, curves: Float64Array): void {
  const leaves = new Uint8Array(slopes.length);
  for (let level = 0; level < TREE_DEPTH; level++) {
    let best = { gain: -Infinity, feature: 0, bin: 0 };
    for (const [feature, own] of bins.entries()) {
      const found = bestCut({ bins: own, leaves, count: 2 ** level }, slopes, curves, cuts[feature]!.length);
      if (found.gain > best.gain) best = { ...found, feature };
    }
    tree[2 * level] = best.feature;
    tree[2 * level + 1] = cuts[best.feature]![best.bin] ?? Infinity;
    for (const [index, bin] of bins[best.feature]!.entries())
      leaves[index] = 2 * leaves[index]! + (bin > best.bin ? 1 : 0);
  }
  const sums = sumsOf(leaves, LEAVES, slopes, curves);
  for (let leaf = 0; leaf < LEAVES; leaf++)
    tree[2 * TREE_DEPTH + leaf] = (RATE * sums.slopes[leaf]!) / (sums.curves[leaf]! + STEADY);
}

interface Parted {
  readonly bins: Uint8Array;
  readonly leaves: Uint8Array;
  /** How many leaves there are so far. */
  readonly count: number;
}

function bestCut(
  { bins, leaves, count }: Parted,
  slopes: Float64Array,
  curves: Float64Array,
  cuts: number,
): { readonly gain: number; readonly bin: number } {
  const places = new Uint16Array(bins.length);
  for (let index = 0; index < bins.length; index++) places[index] = leaves[index]! * BINS + bins[index]!;
  const sums = sumsOf(places, count * BINS, slopes, curves);
  const gains = new Float64Array(cuts);
  for (let leaf = 0; leaf < count; leaf++) {
    const from = leaf * BINS;
    const all = [total(sums.slopes, from), total(sums.curves, from)] as const;
    let [slope, curve] = [0, 0];
    for (let bin = 0; bin < cuts; bin++) {
      slope += sums.slopes[from + bin]!;
      curve += sums.curves[from + bin]!;
      gains[bin]! += slope ** 2 / (curve + STEADY) + (all[0] - slope) ** 2 / (all[1] - curve + STEADY);
    }
  }
  const bin = gains.reduce((best, gain, place) => (gain > (gains[best] ?? -Infinity) ? place : best), 0);
  return { gain: gains[bin] ?? -Infinity, bin };
}

function total(sums: Float64Array, from: number): number {
  let sum = 0;
  for (let bin = 0; bin < BINS; bin++) sum += sums[from + bin]!;
  return sum;
}

function sumsOf(
  places: Uint8Array | Uint16Array,
  size: number,
  slopes: Float64Array,
  curves: Float64Array,
): { readonly slopes: Float64Array; readonly curves: Float64Array } {
  const sums = { slopes: new Float64Array(size), curves: new Float64Array(size) };
  for (let index = 0; index < places.length; index++) {
    sums.slopes[places[index]!]! += slopes[index]!;
    sums.curves[places[index]!]! += curves[index]!;
  }
  return sums;
}
