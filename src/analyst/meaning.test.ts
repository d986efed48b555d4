import { describe, expect, it } from 'vitest';
import type { AnalysisPlan } from '../ports/analysis-plan.js';
import { NO_SEMANTICS, type TableSemantics } from '../ports/table-semantics.js';
import { withSaidRoles } from '../plan/column-roles.js';
import { figures } from './plans.fixture.js';
import { numberColumn, textColumn } from './profiles.fixture.js';
import { understandAll } from './understand.js';
import type { Understanding } from './understanding.js';

const PROFILE = {
  ...{ rowCount: 400, timeRange: null, timeField: '', metaField: 'region', values: ['amount', 'score'] },
  columns: [
    textColumn('region', ['North', 'South', 'East', 'West']),
    textColumn('status', ['paid', 'refunded', 'open']),
    textColumn('channel', ['web', 'shop', 'test']),
    numberColumn('amount', { min: 1, max: 900, mean: 450.5, distinct: 300 }),
    numberColumn('score', { min: 1, max: 5, mean: 2.9, distinct: 300 }),
  ],
};

const REFUNDED = { kind: 'in', column: 'status', values: ['refunded'], negated: false } as const;
const PAID = { ...REFUNDED, negated: true } as const;
const TESTS = { kind: 'in', column: 'channel', values: ['test'], negated: true } as const;

const METRICS: TableSemantics = {
  ...NO_SEMANTICS,
  metrics: [
    {
      ...{ name: 'net revenue', synonyms: ['Netto'], description: '', unit: 'EUR' },
      plan: figures({ measures: [{ aggregate: 'sum', column: 'amount', label: 'net revenue' }], filters: [PAID] }),
    },
    {
      ...{ name: 'refund rate', synonyms: [], description: '', unit: '%' },
      plan: figures({
        measures: [
          { aggregate: 'count', column: null, label: 'refunds', filters: [REFUNDED] },
          { aggregate: 'count', column: null, label: 'orders' },
        ],
        computed: [{ kind: 'percent', left: 0, right: 1, label: 'refund rate' }],
      }),
    },
  ],
};

function asked(message: string, semantics: TableSemantics | null, plan: AnalysisPlan | null = null): Understanding {
  const table = { name: 'Orders', context: '', semantics, profile: withSaidRoles(PROFILE, semantics) };
  const history = plan === null ? [] : [{ question: 'before', answer: 'so', dbquery: '', plan }];
  const [part] = understandAll(message, table, history, new Date('2024-06-01'));
  if (part === undefined) throw new Error('nothing was read');
  return part.understanding;
}

function planOf(...question: Parameters<typeof asked>): AnalysisPlan {
  const read = asked(...question);
  if (read.kind !== 'plan') throw new Error(`not a plan: ${JSON.stringify(read)}`);
  return read.plan;
}

describe('a metric that a message names', () => {
  it.each(['net revenue by region', 'Net  Revenue by region', 'netto by region'])('is its figure: %s', (message) => {
    expect(asked(message, METRICS)).toMatchObject({
      plan: {
        measures: [{ aggregate: 'sum', column: 'amount', filters: [PAID], label: 'net revenue' }],
        dimensions: [{ column: 'region' }],
        order: [{ by: 'net revenue', direction: 'desc' }],
      },
      notes: ['“net revenue” is total amount where status is not refunded.'],
    });
  });

  it('may be computed of two others, and be ranked by', () => {
    expect(planOf('top 2 regions by refund rate', METRICS)).toMatchObject({
      measures: [{ label: 'refunds', filters: [REFUNDED] }, { label: 'orders' }],
      computed: [{ kind: 'percent', label: 'refund rate' }],
      order: [{ by: 'refund rate', direction: 'desc' }],
      limit: 2,
    });
  });

  it('keeps its conditions in a question that goes on', () => {
    expect(planOf('and by channel?', METRICS, planOf('net revenue by region', METRICS))).toMatchObject({
      measures: [{ filters: [PAID], label: 'net revenue' }],
      dimensions: [{ column: 'channel' }],
    });
  });

  it('is never left out without a word', () => {
    const read = asked('average net revenue by region', METRICS);
    // Without a plan nothing would be tried.
    expect(read.kind).not.toBe('unclear');
    const plans = read.kind === 'plan' ? [read] : read.kind === 'choice' ? read.readings : [];
    for (const { plan } of plans) expect(JSON.stringify(plan)).toContain('refunded');
  });
});

describe('the rows that count', () => {
  const semantics = { ...NO_SEMANTICS, filters: [TESTS] };

  it('are told, unless the question speaks of their column', () => {
    const notes = ['Only rows where channel is not test count, unless you say otherwise.'];
    expect(asked('total amount by region', semantics)).toMatchObject({ plan: { filters: [TESTS] }, notes });
    expect(planOf('total amount by channel', semantics).filters).toEqual([]);
  });

  it('stay away when somebody has taken their condition out', () => {
    const without = { ...planOf('total amount by region', semantics), filters: [] };
    expect(planOf('and by status?', semantics, without).filters).toEqual([]);
  });
});

describe('the role of a column', () => {
  const saying = (name: string, role: '' | 'sum' | 'average', ...synonyms: readonly string[]): TableSemantics => ({
    ...NO_SEMANTICS,
    columns: [{ name, role, synonyms, description: '', unit: '', format: '', allowedValues: [] }],
  });

  it.each([
    ['amount by region', saying('amount', 'average'), 'avg'],
    ['the scores of each region', saying('score', 'sum'), 'sum'],
    ['total amount by region', saying('amount', 'average'), 'sum'],
    ['total zaster by region', saying('score', '', 'Zaster'), 'sum'],
    // Where the company says nothing names and units decide, the same for all questions.
    ['amount by region', null, 'sum'],
    ['avarage amount by region', null, 'avg'],
    ['score by region', null, 'avg'],
  ])('decides where nobody says it, and not where somebody does: %s', (message, semantics, aggregate) => {
    const column = message.includes('amount') ? 'amount' : 'score';
    expect(planOf(message, semantics)).toMatchObject({ measures: [{ aggregate, column }] });
  });
});
