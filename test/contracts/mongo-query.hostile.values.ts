/** Stages that are allowed, given what they can't be. */
export const MISUSES: readonly unknown[] = [
  [{ $set: { y: { $let: { vars: { CURRENT: '$$NOW' }, in: '$units' } } } }],
  [{ $set: { y: { $let: { vars: { ROOT: 1 }, in: '$$ROOT' } } } }],
  [{ $set: { y: { $map: { input: [1], as: 'NOW', in: 1 } } } }],
  [{ $set: { y: { $map: { input: [1], as: '$x', in: 1 } } } }],
  [{ $set: { y: { $map: { input: [1], in: 1, where: 'x' } } } }],
  [{ $set: { y: { $filter: { input: [1] } } } }],
  [{ $set: { $y: 1 } }],
  [{ $set: { '': 1 } }],
  [{ $set: { 'a..b': 1 } }],
  [{ $set: { 'a.$b': 1 } }],
  [{ $set: { y: { 'a.b': 1, $add: [1] } } }],
  [{ $group: { _id: null, 'a.b': { $sum: 1 } } }],
  [{ $group: { _id: null, $a: { $sum: 1 } } }],
  [{ $group: { n: { $sum: 1 } } }],
  [{ $group: { _id: null, n: { $sum: 1, $max: 1 } } }],
  [{ $group: { _id: null, n: 1 } }],
  [{ $count: '$n' }],
  [{ $count: 'a.b' }],
  [{ $limit: '$n' }],
  [{ $limit: -1 }],
  [{ $limit: 1.5 }],
  [{ $skip: { $literal: 1 } }],
  [{ $sort: { units: { $meta: 'textScore' } } }],
  [{ $sort: { b: 1 } }],
  [{ $sort: {} }],
  [{ $unwind: { path: '$product', as: 'x' } }],
  [{ $unwind: '$b' }],
  [{ $unwind: '$$ROOT' }],
  [{ $unset: 'b' }],
  [{ $unset: { b: 1 } }],
  [{ $sample: { size: 1e9 } }],
  [{ $sample: { size: 1, seed: 2 } }],
  [{ $facet: { a: [{ $out: 'x' }] } }],
  [{ $facet: { a: { $out: 'x' } } }],
  [{ $facet: { 'a.b': [] } }],
  [{ $densify: { field: 'b', range: { step: 1, bounds: 'full' } } }],
  [{ $densify: { field: 'units', range: { step: 0, bounds: 'full' } } }],
  [{ $densify: { field: 'units', range: { step: 1, bounds: [{ $where: 1 }, 2] } } }],
  [{ $fill: { output: { units: { method: 'js' } } } }],
  [{ $replaceRoot: { newRoot: '$b' } }],
  [{ $replaceRoot: { newRoot: { x: '$b' } } }],
  [{ $replaceRoot: { newRoot: '$$ROOT', extra: 1 } }],
  [{ $setWindowFields: { partitionBy: '$b', output: {} } }],
  [{ $setWindowFields: { sortBy: { b: 1 }, output: {} } }],
  [{ $setWindowFields: { output: { x: { $sum: 1, window: { from: 'y' } } } } }],
  [{ $bucketAuto: { groupBy: '$units', buckets: 1e9 } }],
  [{ $bucket: { groupBy: '$units', boundaries: [0, 1], output: { x: { $function: {} } } } }],
  [{ $set: { y: { $getField: { field: 'x', input: '$b' } } } }],
];

/** What comes to too much for one row, and is refused before it runs. */
export const SWELLING: readonly unknown[] = [
  [{ $set: { y: { $range: [0, 1_000_000_000] } } }],
  [{ $set: { y: { $range: [0, '$units'] } } }],
  [{ $set: { y: { $range: ['$units', 10] } } }],
  [
    {
      $set: {
        y: { $map: { input: { $range: [0, 10_000] }, in: { $map: { input: { $range: [0, 10_000] }, in: 1 } } } },
      },
    },
  ],
  [{ $set: { y: { $map: { input: { $range: [0, 10_000] }, in: { $concat: ['$product', '$product'] } } } } }],
  [
    {
      $set: {
        y: {
          $reduce: { input: { $range: [0, 40] }, initialValue: '$product', in: { $concat: ['$$value', '$$value'] } },
        },
      },
    },
  ],
  [
    {
      $set: {
        y: {
          $reduce: {
            input: { $range: [0, 40] },
            initialValue: 'x',
            in: { $let: { vars: { v: '$$value' }, in: { $concat: ['$$v', '$$v'] } } },
          },
        },
      },
    },
  ],
  [
    {
      $set: {
        y: {
          $reduce: { input: { $range: [0, 40] }, initialValue: [1], in: { $concatArrays: ['$$value', '$$value'] } },
        },
      },
    },
  ],
  [{ $set: { y: { $reduce: { input: { $range: [0, 40] }, initialValue: [1], in: ['$$value', '$$value'] } } } }],
  [
    {
      $set: {
        y: { $reduce: { input: { $range: [0, 10_000] }, initialValue: '', in: { $concat: ['$$value', '$product'] } } },
      },
    },
  ],
  [...Array.from({ length: 25 }, () => ({ $set: { product: { $concat: ['$product', '$product'] } } }))],
  [
    { $group: { _id: null, a: { $push: '$units' } } },
    ...Array.from({ length: 10 }, () => ({ $set: { a: { $concatArrays: ['$a', '$a'] } } })),
  ],
  [
    { $group: { _id: null, a: { $push: '$product' } } },
    { $set: { a: { $map: { input: '$a', in: { $concat: ['$$this', 'x'] } } } } },
  ],
  [
    { $group: { _id: null, a: { $push: '$units' } } },
    {
      $set: {
        a: { $map: { input: '$a', as: 'i', in: { $filter: { input: '$a', cond: { $eq: ['$$this', '$$i'] } } } } },
      },
    },
  ],
  [
    { $group: { _id: null, a: { $push: '$$ROOT' } } },
    {
      $set: {
        a: { $reduce: { input: '$a', initialValue: '', in: { $concat: ['$$value', { $toString: '$$this.units' }] } } },
      },
    },
  ],
  [
    {
      $set: { y: { $replaceAll: { input: '$product', find: '', replacement: { $concat: ['$product', '$product'] } } } },
    },
  ],
  [
    {
      $set: {
        y: {
          $map: {
            input: { $split: ['$product', ''] },
            in: { $concat: ['$product', '$product', '$product', '$product', '$product', '$product'] },
          },
        },
      },
    },
  ],
  [{ $set: { x: { $range: [0, 10_000] } } }, { $set: { y: { $map: { input: '$x', in: '$x' } } } }],
  [{ $set: { x: { $range: [0, 10_000] } } }, { $set: { y: { $map: { input: '$x', in: { z: ['$x', '$x'] } } } } }],
];
