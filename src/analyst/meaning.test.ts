import { describe, expect, it } from 'vitest';
import type { AnalysisPlan } from '../ports/analysis-plan.js';
import type { HistoryTurn, TableBriefing } from '../ports/chat-model.js';
import { NO_SEMANTICS, type TableSemantics } from '../ports/table-semantics.js';
import { withSaidRoles } from '../plan/column-roles.js';
import { figures } from './plans.fixture.js';
import { numberColumn, textColumn } from './profiles.fixture.js';
import { understandAll } from './understand.js';
import type { Understanding } from './understanding.js';

const PROFILE = {
  rowCount: 400,
  timeRange: null,
  timeField: '',
  metaField: 'region',
  values: ['amount', 'score'],
  columns: [
    textColumn('region', ['North', 'South', 'East', 'West']),
    textColumn('status', ['paid', 'refunded', 'open']),
    textColumn('channel', ['web', 'shop', 'test']),
    numberColumn('amount', { min: 1, max: 900, mean: 450.5, distinct: 300 }),
    numberColumn('score', { min: 1, max: 5, mean: 2.9, distinct: 300 }),
  ],
};

const REFUNDED = { kind: 'in', column: 'status', values: ['refunded'], negated: true } as const;
const TESTS = { kind: 'in', column: 'channel', values: ['test'], negated: true } as const;
const RATE = { kind: 'in', column: 'status', values: ['refunded'], negated: false } as const;

const METRICS: TableSemantics = {
  ...NO_SEMANTICS,
  metrics: [
    {
      ...{ name: 'net revenue', synonyms: ['Netto'], description: '', unit: 'EUR' },
      plan: figures({ measures: [{ aggregate: 'sum', column: 'amount', label: 'net revenue' }], filters: [REFUNDED] }),
    },
    {
      ...{ name: 'refund rate', synonyms: [], description: '', unit: '%' },
      plan: figures({
        measures: [
          { aggregate: 'count', column: null, label: 'refunds', filters: [RATE] },
          { aggregate: 'count', column: null, label: 'orders' },
        ],
        computed: [{ kind: 'percent', left: 0, right: 1, label: 'refund rate' }],
      }),
    },
  ],
};

function asked(message: string, semantics: TableSemantics | null, before: AnalysisPlan | null = null): Understanding {
  const profile = withSaidRoles(PROFILE, semantics);
  const table: TableBriefing = { name: 'Orders', context: '', semantics, profile };
  const turn: HistoryTurn = { question: 'before', answer: 'so', dbquery: '', plan: before };
  const [part] = understandAll(message, table, before === null ? [] : [turn], new Date('2024-06-01'));
  if (part === undefined) throw new Error('nothing was read');
  return part.understanding;
}

function planOf(read: Understanding): AnalysisPlan {
  if (read.kind !== 'plan') throw new Error(`not a plan: ${JSON.stringify(read)}`);
  return read.plan;
}

describe('a metric that a message names', () => {
  it.each(['net revenue by region', 'Net  Revenue by region', 'netto by region'])('is its figure: %s', (message) => {
    const read = asked(message, METRICS);
    expect(planOf(read)).toMatchObject({
      measures: [{ aggregate: 'sum', column: 'amount', filters: [REFUNDED], label: 'net revenue' }],
      dimensions: [{ column: 'region' }],
      order: [{ by: 'net revenue', direction: 'desc' }],
    });
    expect(read).toMatchObject({ notes: ['“net revenue” is total amount where status is not refunded.'] });
  });

  it('may be computed of two others, and be ranked by', () => {
    expect(planOf(asked('top 2 regions by refund rate', METRICS))).toMatchObject({
      measures: [{ label: 'refunds', filters: [RATE] }, { label: 'orders' }],
      computed: [{ kind: 'percent', label: 'refund rate' }],
      order: [{ by: 'refund rate', direction: 'desc' }],
      limit: 2,
    });
  });

  it('keeps its conditions in a question that goes on', () => {
    const before = planOf(asked('net revenue by region', METRICS));
    expect(planOf(asked('and by channel?', METRICS, before))).toMatchObject({
      measures: [{ filters: [REFUNDED], label: 'net revenue' }],
      dimensions: [{ column: 'channel' }],
    });
  });

  it('is never left out without a word', () => {
    const read = asked('average net revenue by region', METRICS);
    const plans =
      read.kind === 'plan' ? [read.plan] : read.kind === 'choice' ? read.readings.map(({ plan }) => plan) : [];
    // Without a plan nothing would be tried.
    expect(read.kind).not.toBe('unclear');
    for (const plan of plans) expect(JSON.stringify(plan)).toContain('refunded');
  });
});

describe('the rows that count', () => {
  const semantics = { ...NO_SEMANTICS, filters: [TESTS] };

  it('are told, unless the question speaks of their column', () => {
    const read = asked('total amount by region', semantics);
    expect(planOf(read)).toMatchObject({ filters: [TESTS] });
    expect(read).toMatchObject({ notes: ['Only rows where channel is not test count, unless you say otherwise.'] });
    expect(planOf(asked('total amount by channel', semantics)).filters).toEqual([]);
  });

  it('stay away when somebody has taken their condition out', () => {
    const without = { ...planOf(asked('total amount by region', semantics)), filters: [] };
    expect(planOf(asked('and by status?', semantics, without)).filters).toEqual([]);
  });
});

describe('the role of a column', () => {
  const withRole = (role: 'sum' | 'average'): TableSemantics => ({
    ...NO_SEMANTICS,
    columns: ['amount', 'score'].map((name) => ({
      ...{ name, description: '', synonyms: [], unit: '', format: '', allowedValues: [] },
      role,
    })),
  });

  it.each([
    ['sum', 'sum'],
    ['average', 'avg'],
  ] as const)('decides where nobody says it: %s', (role, aggregate) => {
    for (const message of ['amount by region', 'the scores of each region']) {
      expect(planOf(asked(message, withRole(role)))).toMatchObject({ measures: [{ aggregate }] });
    }
  });

  it('is decided by names and units where the company says nothing, and is one for all questions', () => {
    for (const message of ['amount by region', 'amount by status', 'total amount by region']) {
      expect(planOf(asked(message, null))).toMatchObject({ measures: [{ aggregate: 'sum' }] });
    }
    for (const message of ['score by region', 'the score of each status', 'avarage score by channel']) {
      expect(planOf(asked(message, null))).toMatchObject({ measures: [{ aggregate: 'avg' }] });
    }
    expect(planOf(asked('avarage amount by region', null))).toMatchObject({ measures: [{ aggregate: 'avg' }] });
  });

  it('does not where somebody does', () => {
    expect(planOf(asked('total amount by region', withRole('average')))).toMatchObject({
      measures: [{ aggregate: 'sum' }],
    });
  });

  it('is that of what a synonym names', () => {
    const nothing = { description: '', unit: '', format: '', role: '', allowedValues: [] } as const;
    const columns = [{ ...nothing, name: 'score', synonyms: ['Zaster'] }];
    expect(planOf(asked('total zaster by region', { ...NO_SEMANTICS, columns }))).toMatchObject({
      measures: [{ aggregate: 'sum', column: 'score' }],
    });
  });
});
