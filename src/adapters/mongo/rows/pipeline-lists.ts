import { bound, type Term, when } from './pipeline-terms.js';

/** The value at a part of the way through sorted values, between two of them by its distance from each; null without any. */
export function interpolated(sorted: Term, fraction: number): Term {
  const place = { $multiply: [fraction, { $subtract: [{ $size: sorted }, 1] }] };
  const at = (index: Term): Term => ({ $arrayElemAt: [sorted, index] });
  const between = bound(place, (x) => {
    const low = at({ $floor: x });
    const distance = { $subtract: [at({ $ceil: x }), low] };
    return { $add: [low, { $multiply: [distance, { $subtract: [x, { $floor: x }] }] }] };
  });
  return when({ $eq: [sorted, []] }, null, between);
}

/** The most frequent of sorted values, of several the lowest; null without any. */
export function mostFrequent(sorted: Term): Term {
  const run = when({ $eq: ['$$this', '$$value.last'] }, { $add: ['$$value.run', 1] }, 1);
  const isMore = { $gt: ['$$run', '$$value.most'] };
  const next = {
    last: '$$this',
    run: '$$run',
    best: when(isMore, '$$this', '$$value.best'),
    most: when(isMore, '$$run', '$$value.most'),
  };
  const start = { last: null, run: 0, best: null, most: 0 };
  const found = { $reduce: { input: sorted, initialValue: start, in: { $let: { vars: { run }, in: next } } } };
  return { $getField: { field: 'best', input: found } };
}
