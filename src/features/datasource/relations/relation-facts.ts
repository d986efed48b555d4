import type { JoinMeasure } from '../../../ports/row-reader.js';

export const CARDINALITIES = ['one-one', 'one-many', 'many-one', 'many-many'] as const;
/** How many rows of the first and of the second can have the same key. */
export type Cardinality = (typeof CARDINALITIES)[number];

export function cardinalityOf({ left, right }: Pick<JoinMeasure, 'left' | 'right'>): Cardinality {
  const [isOne, hasOne] = [left.most <= 1, right.most <= 1];
  if (isOne) return hasOne ? 'one-one' : 'one-many';
  return hasOne ? 'many-one' : 'many-many';
}

/** Of the keys of the side that has fewer, how many percent the other has, too. */
export function overlapOf({ left, right, shared }: JoinMeasure): number {
  const fewer = Math.min(left.distinct, right.distinct);
  return fewer === 0 ? 0 : Math.round((1000 * shared) / fewer) / 10;
}
