import { describe, expect, it } from 'vitest';
import type { ColumnType } from '../../../ports/table.js';
import { allowedPipeline } from './gate.js';
import { readPipelineText } from './gate-json.js';
import { namedColumns } from './gate-names.js';
import type { MongoColumn } from './mongo-table.js';

const TYPES: readonly (readonly [string, ColumnType, string])[] = [
  ['time', 'time', 't'],
  ['device', 'text', 'm'],
  ['value', 'number', 'c2'],
  ['note', 'text', 'c3'],
];
const COLUMNS: readonly MongoColumn[] = TYPES.map(([name, type, field]) => ({ name, type, field }));
const ROWS = { $push: '$$ROOT' };

function columnsNamed(...names: readonly string[]): readonly string[] {
  const columns = names.map((name, place) => ({ name, type: 'text' as const, field: `c${place}` }));
  return namedColumns(columns).map(({ visible }) => visible);
}

function allowed(...stages: readonly unknown[]) {
  return () => allowedPipeline(JSON.stringify(stages), COLUMNS);
}

describe('the names of a written pipeline', () => {
  it('are those of the header, but for what means something in a path', () => {
    expect(columnsNamed('unit price', 'größe 温度', '2023', ' ', "it's")).toEqual([
      'unit price',
      'größe 温度',
      '2023',
      ' ',
      "it's",
    ]);
    expect(columnsNamed('p.95', '$cost', '$$ROOT', '', 'a\u0000b', '__proto__', 'us$')).toEqual([
      ...['p_95', '_cost', '_ROOT', 'column_4', 'a_b', '_proto_', 'us$'],
    ]);
  });

  it('are never the same twice', () => {
    expect(columnsNamed('a.b', 'a_b', 'a$b', '$a_b', 'a\tb')).toEqual(['a_b_2', 'a_b', 'a$b', '_a_b', 'a_b_3']);
  });
});

describe('a written pipeline', () => {
  it('begins with a stage that leaves nothing of the store in sight', () => {
    const { stages } = allowedPipeline('[{"$count": "n"}]', COLUMNS);
    expect(stages).toEqual([
      {
        $project: new Map<string, unknown>([
          ['time', '$t'],
          ['device', '$m'],
          ['value', { $ifNull: ['$c2', null] }],
          ['note', { $ifNull: ['$c3', null] }],
          ['_id', 0],
        ]),
      },
      { $count: 'n' },
    ]);
  });

  it('may be written as a shell is told it', () => {
    expect(allowedPipeline(' db.data.aggregate([ { "$count": "n" } ]); ', COLUMNS).stages).toHaveLength(2);
  });

  it('keeps the order of names that are numbers', () => {
    const stage = readPipelineText('{"b": 1, "2023": -1, "a": 1}');
    expect(stage instanceof Map ? [...stage.keys()] : []).toEqual(['b', '2023', 'a']);
  });

  it.each([
    ['a time', '{"$date": "2024-01-31T10:00:00Z"}', new Date('2024-01-31T10:00:00Z')],
    ['a time without a zone', '{"$date": "2024-01-31T10:00:00"}', new Date('2024-01-31T10:00:00Z')],
    ['a day', '{"$date": "2024-01-31"}', new Date('2024-01-31T00:00:00Z')],
    ['a time in milliseconds', '{"$date": {"$numberLong": "1000"}}', new Date(1000)],
    ['a number', '{"$numberDouble": "1.5"}', 1.5],
    ['signs', '"\\u00e9\\n"', 'é\n'],
  ])('is read with %s', (_what, text, value) => {
    expect(readPipelineText(text)).toEqual(value);
  });

  it.each([
    [
      'joins the texts of a short list',
      [
        { $group: { _id: '$device', a: { $firstN: { input: '$note', n: 50 } } } },
        {
          $project: {
            all: { $reduce: { input: '$a', initialValue: '', in: { $concat: ['$$value', ', ', '$$this'] } } },
          },
        },
      ],
    ],
    [
      'shapes the first rows of a group',
      [
        { $group: { _id: '$device', a: ROWS } },
        {
          $project: {
            a: {
              $map: {
                input: { $slice: ['$a', 100] },
                as: 'r',
                in: { at: '$$r.time', v: { $round: ['$$r.value', 1] }, n: { $toUpper: '$$r.note' } },
              },
            },
          },
        },
      ],
    ],
    [
      'finds the largest of a list',
      [
        { $group: { _id: null, a: { $push: '$value' } } },
        {
          $project: {
            m: {
              $reduce: {
                input: '$a',
                initialValue: null,
                in: { $cond: [{ $gt: ['$$this', '$$value'] }, '$$this', '$$value'] },
              },
            },
          },
        },
      ],
    ],
    [
      'keeps what is above the mean of a list',
      [
        { $group: { _id: null, a: { $push: '$value' } } },
        { $set: { mean: { $avg: '$a' } } },
        { $project: { n: { $size: { $filter: { input: '$a', cond: { $gt: ['$$this', '$mean'] } } } } } },
      ],
    ],
    [
      'puts figures under names that cells gave',
      [
        { $group: { _id: '$device', n: { $sum: 1 } } },
        { $group: { _id: null, all: { $push: { k: '$_id', v: '$n' } } } },
        { $replaceRoot: { newRoot: { $arrayToObject: '$all' } } },
      ],
    ],
    [
      'counts words',
      [
        { $project: { w: { $split: [{ $toLower: '$note' }, ' '] } } },
        { $unwind: '$w' },
        { $sortByCount: '$w' },
        { $limit: 10 },
      ],
    ],
    [
      'makes a calendar',
      [
        {
          $project: {
            d: {
              $map: {
                input: { $range: [0, 31] },
                in: { $dateAdd: { startDate: '$time', unit: 'day', amount: '$$this' } },
              },
            },
          },
        },
      ],
    ],
    ['looks for a pattern', [{ $match: { note: { $regex: '^(foo|bar)[0-9]+(-[a-z]{2,4})?$' } } }]],
  ])('%s', (_what, stages) => {
    expect(allowed(...stages)).not.toThrow();
  });

  it.each([
    [
      'a field that was left behind',
      [{ $group: { _id: '$device' } }, { $sort: { value: 1 } }],
      'there is no field "value" at this stage; there are "_id"',
    ],
    ['a stage that writes', [{ $out: 'x' }], 'the stage "$out" is not allowed; there are $match,'],
    ['an unbound variable', [{ $set: { x: '$$row.value' } }], 'there is no variable "$$row"'],
    ['too long a list', [{ $set: { x: { $range: [0, '$value'] } } }], '{"$min": [expression, 1000]}'],
    [
      'too much text',
      [{ $group: { _id: 1, a: ROWS } }, { $set: { a: { $map: { input: '$a', in: { $toUpper: '$$this.note' } } } } }],
      '{"$slice": [list, 100]}',
    ],
  ])('is refused with advice: %s', (_what, stages, advice) => {
    expect(allowed(...stages)).toThrow(advice);
  });

  it('is refused with advice when it is written for the shell', () => {
    expect(() => allowedPipeline('[{"$match": {"time": ISODate("2024-01-01")}}]', COLUMNS)).toThrow('{"$date":');
    expect(() => allowedPipeline("[{'$count': 'n'}]", COLUMNS)).toThrow('double quotes');
  });
});
