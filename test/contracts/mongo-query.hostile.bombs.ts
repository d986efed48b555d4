const crowd = { $range: [0, 10_000] };
/** What may run, and may come to an end only by a limit. */
export const BOMBS: readonly unknown[] = [
  [{ $set: { a: crowd } }, { $unwind: '$a' }, { $set: { c: crowd } }, { $unwind: '$c' }, { $count: 'n' }],
  [{ $set: { a: crowd } }, { $unwind: '$a' }, { $sort: { a: -1, units: 1 } }, { $limit: 900_000 }, { $count: 'n' }],
  [{ $set: { a: crowd } }, { $unwind: '$a' }, { $group: { _id: { a: '$a', d: '$Order Date' } } }, { $count: 'n' }],
  [{ $set: { a: crowd } }, { $unwind: '$a' }, { $group: { _id: null, all: { $push: '$$ROOT' } } }],
  [
    { $set: { a: crowd } },
    { $unwind: '$a' },
    { $setWindowFields: { sortBy: { a: 1 }, output: { x: { $push: '$a' } } } },
    { $count: 'n' },
  ],
  [
    { $set: { a: crowd } },
    { $unwind: '$a' },
    { $facet: { x: [{ $match: {} }], y: [{ $match: {} }], z: [{ $sort: { a: 1 } }] } },
  ],
  [{ $densify: { field: 'Order Date', range: { step: 1, unit: 'millisecond', bounds: 'full' } } }, { $count: 'n' }],
  [
    { $set: { a: crowd } },
    { $unwind: '$a' },
    { $bucketAuto: { groupBy: { $multiply: ['$a', '$units'] }, buckets: 10_000 } },
    { $count: 'n' },
  ],
  [{ $set: { a: crowd } }, { $project: { a: 1, c: '$a', d: '$a', e: ['$a', '$a'] } }],
  [{ $group: { _id: null, a: { $push: '$$ROOT' } } }, { $project: { a: 1, b: '$a', c: '$a' } }],
  [{ $set: { a: crowd } }, { $unwind: '$a' }, { $match: { product: { $regex: '^.*.*.*.*x$' } } }, { $count: 'n' }],
  [
    { $set: { a: { $reduce: { input: crowd, initialValue: 0, in: { $add: ['$$value', { $mod: ['$$this', 7] }] } } } } },
    { $group: { _id: null, n: { $sum: '$a' } } },
  ],
];
