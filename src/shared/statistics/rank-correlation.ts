/**
 * Spearman's coefficient: the correlation of the places of values among their like, equal ones sharing the mean of theirs. Null where one
 * side has one value alone, or what is no number.
 */
export function rankCorrelation(x: Float64Array, y: Float64Array): number | null {
  if (x.length < 2 || x.some(Number.isNaN) || y.some(Number.isNaN)) return null;
  const [ofX, ofY] = [fromMiddle(meanRanks(x)), fromMiddle(meanRanks(y))];
  const spread = Math.sqrt(product(ofX, ofX) * product(ofY, ofY));
  return spread === 0 ? null : Math.max(-1, Math.min(1, product(ofX, ofY) / spread));
}

/** The ranks from 1 to n have the same mean, whatever is equal among them. */
function fromMiddle(ranks: Float64Array): Float64Array {
  return ranks.map((rank) => rank - (ranks.length + 1) / 2);
}

function product(one: Float64Array, other: Float64Array): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}

/** The place of each value from 1; values are numbers. */
export function meanRanks(values: Float64Array): Float64Array {
  // Numbers alone are sorted ten times as fast as places by what stands there.
  const sorted = values.slice().sort();
  const [distinct, ranks] = [new Float64Array(values.length), new Float64Array(values.length)];
  let count = 0;
  for (let begin = 0; begin < sorted.length; count++) {
    let end = begin + 1;
    while (end < sorted.length && sorted[end] === sorted[begin]) end++;
    distinct[count] = sorted[begin] ?? 0;
    ranks[count] = (begin + 1 + end) / 2;
    begin = end;
  }
  return values.map((value) => ranks[placeOf(value, distinct, count)] ?? 0);
}

/** By halves. */
function placeOf(value: number, sorted: Float64Array, count: number): number {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
