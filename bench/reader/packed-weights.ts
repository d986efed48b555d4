import { LEAST, SUMS, type Weights } from '../../src/analyst/reading/weights.js';

/** A row of the layer with nothing above this is as good as none. */
const LEAST_IN_ROW = 0.06;

/**
 * Packs weights into bytes: the list of the ranking, the list of the layer, then as numbers of 4 bytes where its sums start, what they are
 * worth, and the confidence.
 */
export function packWeights({ ranking, layer, confidence }: Weights): Uint8Array {
  const places = [...ranking.keys()].filter((place) => Math.abs(ranking[place] ?? 0) >= LEAST);
  const rowOf = (place: number): Float32Array =>
    layer.rows.subarray((layer.index[place] ?? 0) * SUMS).subarray(0, SUMS);
  const inLayer = [...layer.index.keys()].filter(
    (place) => (layer.index[place] ?? 0) > 0 && rowOf(place).some((number) => Math.abs(number) >= LEAST_IN_ROW),
  );
  const parts = [
    packList(places, (place) => ranking.subarray(place, place + 1)),
    packList(inLayer, rowOf),
    ...[layer.start, layer.worth, confidence].map((numbers) => new Uint8Array(Float32Array.from(numbers).buffer)),
  ];
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/**
 * How many places there are and the largest number (4 bytes each), then for each place the distance to the one before it (7 bits a byte,
 * the last without the high bit) and its numbers, 8 bits each.
 */
function packList(places: readonly number[], numbersOf: (place: number) => Float32Array): Uint8Array {
  const largest = places.reduce((size, place) => Math.max(size, ...numbersOf(place).map(Math.abs)), 0);
  const bytes: number[] = [];
  let last = 0;
  for (const place of places) {
    let distance = place - last;
    last = place;
    for (; distance > 127; distance >>>= 7) bytes.push((distance & 127) | 128);
    bytes.push(distance);
    for (const number of numbersOf(place)) bytes.push(Math.round((number / largest) * 127) & 255);
  }
  const head = new DataView(new ArrayBuffer(8));
  head.setUint32(0, places.length, true);
  head.setFloat32(4, largest, true);
  return Uint8Array.from([...new Uint8Array(head.buffer), ...bytes]);
}
