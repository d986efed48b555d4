import { describe, expect, it } from 'vitest';
import type { AnalysisPlan } from '../ports/analysis-plan.js';
import type { Briefing, HistoryTurn, TableBriefing } from '../ports/chat-model.js';
import { type AskedMessage, readMessage } from './asked-table.js';
import { aScene, numberColumn, textColumn, timeColumn } from './profiles.fixture.js';

const NOW = '2024-06-01T12:00:00.000Z';
const CUSTOMERS = aScene({
  ...{ name: 'Customers', rowCount: 200, timeField: 'since', metaField: 'city', now: NOW },
  columns: [
    numberColumn('id', { min: 1, max: 200, distinct: 200 }),
    textColumn('city', ['Hamburg', 'Munich', 'Berlin']),
    textColumn('segment', ['retail', 'wholesale']),
    numberColumn('credit limit', { min: 100, max: 9000 }),
    timeColumn('since', '2010-01-01T00:00:00.000Z', '2023-12-31T00:00:00.000Z', 190),
  ],
});
const ORDERS = aScene({
  ...{ name: 'Orders', rowCount: 5000, timeField: 'day', metaField: 'channel', now: NOW },
  columns: [
    numberColumn('customer_id', { min: 1, max: 200, distinct: 200 }),
    textColumn('channel', ['online', 'shop']),
    numberColumn('revenue', { min: 1, max: 900.5, mean: 80.2 }),
    timeColumn('day', '2024-01-01T00:00:00.000Z', '2024-05-31T00:00:00.000Z', 150),
  ],
});

const joinedWith = (isSingle: boolean): TableBriefing => ({
  ...ORDERS.table,
  joined: [
    {
      ...{ relation: 'r', table: 'customers', name: 'Customers', on: [['customer_id', 'id']], isSingle },
      ...{ profile: CUSTOMERS.table.profile, semantics: null },
    },
  ],
});

function read(question: string, table = joinedWith(true), history: readonly HistoryTurn[] = []): AskedMessage {
  const briefing: Briefing = {
    ...{ question, history, table, others: [CUSTOMERS.table], passages: [], now: ORDERS.now },
  };
  return readMessage(briefing, table);
}

function planOf({ parts }: AskedMessage): AnalysisPlan | null {
  const [part] = parts;
  return part?.understanding.kind === 'plan' ? part.understanding.plan : null;
}

describe('a question over two datasources', () => {
  it('is asked of the one that explains all its words', () => {
    expect(read('total revenue by channel')).toMatchObject({ asked: { datasource: 'Orders', join: null } });
    expect(read('average credit limit by segment')).toMatchObject({ asked: { datasource: 'Customers', join: null } });
  });

  it('is asked of both, joined, when its words name columns of both', () => {
    const message = read('total revenue by city');
    expect(message.asked).toMatchObject({ datasource: 'Orders', told: 'Orders, joined with Customers' });
    expect(planOf(message)).toMatchObject({
      join: { relation: 'r', table: 'customers' },
      measures: [{ aggregate: 'sum', column: 'revenue' }],
      dimensions: [{ column: 'city' }],
    });
    expect(planOf(read('total revenue in Hamburg'))).toMatchObject({ join: { relation: 'r' } });
  });

  it('is not joined where that would multiply rows', () => {
    const message = read('total revenue by city', joinedWith(false));
    expect(message.asked.join).toBeNull();
    expect(planOf(message)?.join).toBeUndefined();
  });

  it('goes on with a joined plan, and with one of its own table', () => {
    const before = planOf(read('total revenue by city'));
    const turn = { question: 'total revenue by city', answer: '…', dbquery: '', plan: before };
    expect(planOf(read('only for online', joinedWith(true), [turn]))).toMatchObject({
      join: { relation: 'r' },
      dimensions: [{ column: 'city' }],
      filters: [{ column: 'channel', values: ['online'] }],
    });
  });
});
