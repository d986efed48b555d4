import { describe, expect, it } from 'vitest';
import type { AggregatePlan, AnalysisPlan, Filter, RowsPlan } from '../../../ports/analysis-plan.js';
import { isAppError } from '../../../shared/app-error.js';
import { allowedPipeline } from './gate.js';
import type { MongoColumn } from './mongo-table.js';
import { type CompiledPipeline, compilePipeline } from './pipeline-compiler.js';
import { folded, lowered } from './pipeline-text.js';

const COLUMNS: readonly MongoColumn[] = [
  { name: 'Sold at', type: 'time', field: 't' },
  { name: 'region', type: 'text', field: 'm' },
  { name: 'revenue', type: 'number', field: 'c0' },
  { name: '$where', type: 'integer', field: 'c1' },
  { name: 'a.b', type: 'text', field: 'c2' },
];
const SOURCE = { collection: 'rows_1', visible: [{ $match: { t: { $gte: new Date(0) } } }] };

function compiled(plan: AnalysisPlan, maxRows = 100): CompiledPipeline {
  return compilePipeline(plan, COLUMNS, { maxRows, source: SOURCE });
}

function aggregate(part: Partial<AggregatePlan>): AggregatePlan {
  return {
    ...{ kind: 'aggregate', measures: [], dimensions: [], filters: [], having: [], order: [], limit: null },
    ...part,
  };
}

function rows(part: Partial<RowsPlan>): RowsPlan {
  return { kind: 'rows', columns: [], filters: [], order: [], limit: null, ...part };
}

const MONTHLY = aggregate({
  measures: [{ aggregate: 'avg', column: 'revenue', label: 'average' }],
  dimensions: [{ kind: 'bucket', column: 'Sold at', bucket: 'month', label: 'month' }],
  filters: [
    { kind: 'in', column: 'region', values: ['North', 'S.W.'], negated: false },
    { kind: 'time', column: 'Sold at', from: '2024-01-01', to: null },
  ],
  having: [{ measure: 0, operator: '>', value: 0.5 }],
  order: [{ by: 'average', direction: 'desc' }],
  limit: 3,
});

describe('the pipeline that is shown', () => {
  it('is one that a person would write', () => {
    expect(compiled(MONTHLY).dbquery).toBe(`db.data.aggregate([
  {
    "$match": {
      "region": { "$regex": "^(?:North|S\\\\.W\\\\.)$", "$options": "i" },
      "Sold at": { "$gte": { "$date": "2024-01-01T00:00:00Z" } }
    }
  },
  {
    "$group": {
      "_id": { "month": { "$dateTrunc": { "date": "$Sold at", "unit": "month" } } },
      "average_2": { "$avg": "$revenue" }
    }
  },
  { "$replaceWith": { "month": { "$ifNull": ["$_id.month", null] }, "average": "$average_2" } },
  { "$match": { "average": { "$gt": 0.5 } } },
  { "$set": { "missing": { "$lte": ["$month", null] } } },
  { "$sort": { "average": -1, "missing": 1, "month": 1 } },
  { "$limit": 3 },
  { "$replaceWith": { "month": "$month", "average": "$average" } }
])`);
  });

  it.each<[string, AnalysisPlan]>([
    ['groups', MONTHLY],
    ['rows', rows({ order: [{ by: 'a.b', direction: 'asc' }], limit: 5 })],
    [
      'what stands out',
      rows({
        filters: [
          { kind: 'outlier', column: 'revenue', method: 'iqr', threshold: 1.5, population: false, negated: false },
        ],
      }),
    ],
    ['a statistic', { kind: 'statistic', method: 'welch_t_test', columns: ['revenue'], by: 'region', filters: [] }],
  ])('may be sent by anybody: %s', (_, plan) => {
    expect(() => allowedPipeline(compiled(plan).dbquery, COLUMNS)).not.toThrow();
  });
});

describe('the pipeline that runs', () => {
  it('has fields of the table alone, and no value that can be an operator', () => {
    const filters: Filter[] = [
      { kind: 'in', column: 'a.b', values: ['$where', '{"$gt":1}'], negated: false },
      { kind: 'compare', column: '$where', operator: '<', value: 3 },
    ];
    const derived = [
      { name: '$out', expression: { kind: 'case', cases: [{ filters, value: '$revenue' }], otherwise: null } },
    ] as const;
    const text = JSON.stringify(compiled(rows({ derived, columns: ['$out', '$where', 'a.b'], filters })).stages);
    expect(text).not.toMatch(/"\$where"|"\$out"|a\.b/);
    expect(text).toContain('{"$literal":"$revenue"}');
  });

  it('reads the visible rows alone, also where it reads them twice', () => {
    const filters: Filter[] = [{ kind: 'against', column: 'revenue', operator: '>', aggregate: 'avg', reach: 'all' }];
    const [, , lookup] = compiled(rows({ filters })).stages;
    expect(lookup).toEqual({ $lookup: { from: 'rows_1', pipeline: SOURCE.visible, as: 'row' } });
  });

  it('gives one row more than the most, so that the caller sees the cut', () => {
    expect(compiled(rows({}), 10).stages).toContainEqual({ $limit: 11 });
    expect(compiled(rows({ limit: 5 }), 10).stages).toContainEqual({ $limit: 5 });
  });

  it('is one row of figures where there are no rows', () => {
    const measures = (['count', 'sum', 'missing'] as const).map((one) => {
      return { aggregate: one, column: 'revenue', label: one };
    });
    expect(compiled(aggregate({ measures })).finish([]).rows).toEqual([[0, null, 0]]);
  });

  it('is refused with a sentence when the plan does not fit', () => {
    const plan = aggregate({ measures: [{ aggregate: 'sum', column: 'region', label: 'x' }] });
    expect(() => compiled(plan)).toThrow(/needs a column of numbers/);
    expect(() => compiled(rows({ columns: ['nope'] }))).toThrow(/there is no column "nope"/);
    try {
      compiled(rows({ limit: 0 }));
      expect.unreachable();
    } catch (error) {
      expect(isAppError(error, 'invalid_input')).toBe(true);
    }
  });
});

describe('texts in capitals or not', () => {
  it('are the same by one rule for all alphabets', () => {
    expect(lowered('ÄPFEL İ')).toBe('äpfel i');
    const found = new RegExp(`^${folded('straße (i)')}$`, 'u');
    expect(['STRAßE (İ)', 'Straẞe (I)'].every((text) => found.test(text))).toBe(true);
    expect(['strasse (i)', 'ſtraße (i)'].some((text) => found.test(text))).toBe(false);
  });
});
