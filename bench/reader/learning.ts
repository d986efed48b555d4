import { worthOf } from '../../src/analyst/reading/layer.js';
import { type Layer, SUMS } from '../../src/analyst/reading/weights.js';

/** One question as the learner sees it: the features of each reading, one after the other, and which are right. */
export interface Example {
  /** The different features. */
  readonly places: Int32Array;
  /** Each a place in `places`: readings of a question have most of them in common. */
  readonly features: Uint16Array;
  readonly starts: Int32Array;
  /** How much a reading is wanted: 0 when it is wrong. */
  readonly wanted: Float32Array;
}

export interface Learning {
  readonly epochs: number;
  readonly rate: number;
  /** The larger, the slower what was seen seldom is learned. */
  readonly steady: number;
  readonly decay: number;
  /** Features seen in fewer questions are not learned. */
  readonly least: number;
  /** Features seen in fewer questions have no part in the layer. */
  readonly leastInLayer: number;
  readonly rateInLayer: number;
  /** So far right readings have to be ahead of wrong ones. */
  readonly margin: number;
  /** So large a part of all features is left out each time a question is looked at, so that none is relied on alone. */
  readonly leftOut: number;
}

/** What tells the likeliest reading. */
export interface Ranking {
  readonly weights: Float32Array;
  readonly layer: Layer;
}

/** In how many questions each feature is seen. */
function countsOf(examples: readonly Example[], size: number): Uint16Array {
  const counts = new Uint16Array(size);
  for (const { places } of examples) for (const place of places) counts[place]!++;
  return counts;
}

const AVERAGED = 3;

/**
 * Learns by AdaGrad: raises the likelihood of the right readings, most of all of the likeliest of them, against wrong ones that are given a
 * margin (Gimpel and Smith, "Softmax-Margin CRFs", 2010). Each time other features are left out (Srivastava et al., "Dropout", 2014). What
 * comes out is the mean of the last epochs. Deterministic: all that is drawn comes from a fixed seed.
 */
export function learn(examples: readonly Example[], prior: Float32Array, learning: Learning): Ranking {
  const learner = new Learner(examples, prior, learning);
  const order = examples.map((_, index) => index);
  const sums: Float64Array[] = learner.numbers.map((numbers) => new Float64Array(numbers.length));
  for (let epoch = 0; epoch < learning.epochs; epoch++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(learner.random() * (at + 1));
      [order[at], order[other]] = [order[other]!, order[at]!];
    }
    for (const index of order) learner.learnFrom(examples[index]!);
    learner.decay();
    if (epoch < learning.epochs - AVERAGED) continue;
    for (const [which, numbers] of learner.numbers.entries())
      for (let at = 0; at < numbers.length; at++) sums[which]![at]! += numbers[at]!;
  }
  const [weights, rows, start, worth] = sums.map((sum) => Float32Array.from(sum, (number) => number / AVERAGED));
  return { weights: weights!, layer: { index: learner.layer.index, rows: rows!, start: start!, worth: worth! } };
}

/** The squares of all gradients of the layer begin at this. */
const STEADY_IN_LAYER = 1;
/** Where a gradient is smaller, nothing is learned. */
const SMALL = 2e-3;

/** What is known of the features of an example, in the order of its places. */
interface Near {
  /** Which features these are; -1 for those that are left out. */
  readonly kept: Int32Array;
  readonly weights: Float32Array;
  readonly hasRow: Uint8Array;
  readonly rows: Float32Array;
}

function addRows(features: Uint16Array, { hasRow, rows }: Near, sums: Float64Array): void {
  for (const feature of features) {
    if (hasRow[feature] === 0) continue;
    const row = feature * SUMS;
    for (let place = 0; place < SUMS; place++) sums[place]! += rows[row + place]!;
  }
}

function addWeights(features: Uint16Array, weights: Float32Array, score: number): number {
  for (const feature of features) score += weights[feature]!;
  return score;
}

class Learner {
  readonly layer: Layer;
  private readonly weights: Float32Array;
  private readonly squares: Float32Array;
  private readonly isLearned: Uint8Array;
  private readonly rowSquares: Float32Array;
  private readonly startSquares = new Float32Array(SUMS).fill(STEADY_IN_LAYER);
  private readonly worthSquares = new Float32Array(SUMS).fill(STEADY_IN_LAYER);
  private seed = 20_240_101;

  constructor(
    examples: readonly Example[],
    private readonly prior: Float32Array,
    private readonly learning: Learning,
  ) {
    const counts = countsOf(examples, prior.length);
    this.weights = Float32Array.from(prior);
    this.squares = new Float32Array(prior.length).fill(learning.steady);
    this.isLearned = Uint8Array.from(prior, (weight, place) =>
      counts[place]! >= learning.least || weight !== 0 ? 1 : 0,
    );
    let rows = 0;
    const index = Int32Array.from(counts, (count) => (count >= learning.leastInLayer ? ++rows : 0));
    this.layer = {
      index,
      rows: new Float32Array((rows + 1) * SUMS).map((_, at) => (at < SUMS ? 0 : 0.07 * (this.random() - 0.5))),
      start: new Float32Array(SUMS).fill(0.1),
      worth: new Float32Array(SUMS).map((_, place) => (place % 2 === 0 ? 0.5 : -0.5)),
    };
    this.rowSquares = new Float32Array(this.layer.rows.length).fill(STEADY_IN_LAYER);
  }

  /** All that is learned. */
  get numbers(): readonly Float32Array[] {
    return [this.weights, this.layer.rows, this.layer.start, this.layer.worth];
  }

  random(): number {
    return (this.seed = (Math.imul(this.seed, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
  }

  /** Takes all numbers a little back to where they began. */
  decay(): void {
    const { weights, prior, layer } = this;
    const kept = 1 - this.learning.decay;
    for (let place = 0; place < weights.length; place++) {
      const start = prior[place]!;
      if (weights[place] !== start) weights[place] = start + (weights[place]! - start) * kept;
    }
    layer.rows.set(layer.rows.map((weight) => weight * kept));
  }

  learnFrom(example: Example): void {
    const { features, starts, wanted } = example;
    const count = wanted.length;
    const near = this.nearOf(example.places);
    const scores = new Float64Array(count);
    const sums = Array.from({ length: count }, () => Float64Array.from(this.layer.start));
    let highest = -Infinity;
    for (let index = 0; index < count; index++) {
      const own = features.subarray(starts[index], starts[index + 1]);
      addRows(own, near, sums[index]!);
      const expected = (wanted[index] === 0 ? this.learning.margin : 0) + worthOf(sums[index]!, this.layer.worth);
      const score = addWeights(own, near.weights, expected);
      scores[index] = score;
      highest = Math.max(highest, score);
    }
    let all = 0;
    let right = 0;
    for (let index = 0; index < count; index++) {
      scores[index] = Math.exp(scores[index]! - highest);
      all += scores[index]!;
      right += wanted[index]! * scores[index]! ** 2;
    }
    for (let index = 0; index < count; index++) {
      const share = (wanted[index]! * scores[index]! ** 2) / Math.max(right, 1e-300);
      const gradient = share - scores[index]! / all;
      if (Math.abs(gradient) < SMALL) continue;
      this.move(features.subarray(starts[index], starts[index + 1]), near.kept, sums[index]!, gradient);
    }
  }

  /** The numbers of an example's features, together in memory; those of a part of the features that is left out are 0. */
  private nearOf(places: Int32Array): Near {
    const { index, rows } = this.layer;
    const near = {
      kept: new Int32Array(places.length),
      weights: new Float32Array(places.length),
      hasRow: new Uint8Array(places.length),
      rows: new Float32Array(places.length * SUMS),
    };
    const salt = Math.floor(this.random() * 2 ** 32);
    const least = this.learning.leftOut * 2 ** 32;
    for (const [at, place] of places.entries()) {
      const mixed = Math.imul(place ^ salt, 2_654_435_761);
      const isKept = Math.imul(mixed ^ (mixed >>> 15), 2_246_822_519) >>> 0 >= least;
      near.kept[at] = isKept ? place : -1;
      if (!isKept) continue;
      near.weights[at] = this.weights[place]!;
      const row = index[place]!;
      near.hasRow[at] = row === 0 ? 0 : 1;
      for (let sum = 0; row !== 0 && sum < SUMS; sum++) near.rows[at * SUMS + sum] = rows[row * SUMS + sum]!;
    }
    return near;
  }

  /** Moves all that a reading's score is made of. */
  private move(features: Uint16Array, kept: Int32Array, sums: Float64Array, gradient: number): void {
    const { weights, squares, isLearned, layer, rowSquares, startSquares, worthSquares } = this;
    const { rate, rateInLayer } = this.learning;
    const { index, rows, start, worth } = layer;
    const ofSums = new Float64Array(SUMS);
    for (let place = 0; place < SUMS; place++) ofSums[place] = sums[place]! > 0 ? gradient * worth[place]! : 0;
    for (const own of features) {
      const feature = kept[own]!;
      if (feature < 0 || isLearned[feature] === 0) continue;
      squares[feature]! += gradient * gradient;
      weights[feature]! += (rate * gradient) / Math.sqrt(squares[feature]!);
      const row = index[feature]! * SUMS;
      if (row === 0) continue;
      for (let place = 0; place < SUMS; place++) {
        const slope = ofSums[place]!;
        if (slope === 0) continue;
        rowSquares[row + place]! += slope * slope;
        rows[row + place]! += (rateInLayer * slope) / Math.sqrt(rowSquares[row + place]!);
      }
    }
    if (rows.length === SUMS) return;
    for (let place = 0; place < SUMS; place++) {
      const slope = ofSums[place]!;
      if (slope === 0) continue;
      startSquares[place]! += slope * slope;
      start[place]! += (rateInLayer * slope) / Math.sqrt(startSquares[place]!);
      const ofWorth = gradient * sums[place]!;
      worthSquares[place]! += ofWorth * ofWorth;
      worth[place]! += (rateInLayer * ofWorth) / Math.sqrt(worthSquares[place]!);
    }
  }
}
