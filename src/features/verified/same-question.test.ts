import type { AnalysisPlan, Filter } from '../../ports/analysis-plan.js';
import { describe, expect, it } from 'vitest';
import { aColumn, aTextColumn } from '../../ports/plans.fixture.js';
import type { TableProfile } from '../../ports/table.js';
import { likeness, outdates, QuestionKeys, standsAlone } from './same-question.js';

const [REGION, CHANNEL] = [aTextColumn('region', 'North', 'South'), aTextColumn('channel', 'market', 'marketing')];
const PROFILE: TableProfile = {
  ...{ rowCount: 10, timeRange: null, columns: [REGION, CHANNEL, aColumn('revenue', 'number')] },
  ...{ timeField: '', metaField: 'region', values: ['revenue'] },
};
const MANY: TableProfile = { ...PROFILE, columns: [{ ...aTextColumn('customer', 'Walker'), distinct: 5000 }] };
const isSame = (one: string, other: string, profile = PROFILE): boolean =>
  new QuestionKeys({ profile }).of(one) === new QuestionKeys({ profile }).of(other);

describe('the same question', () => {
  it.each([
    ['What is the total revenue by region?', 'what was total revenue, by region'],
    ['TOTAL REVENUE of orders', 'Please show me the total revenue of order!'],
    ['What’s the revenue of “North”?', "what's the revenue of North"],
    ['Wie hoch ist der Umsatz je Region?', 'wie hoch war Umsatz je Region'],
  ])('%s = %s', (one, other) => {
    expect(isSame(one, other)).toBe(true);
  });

  it.each([
    ['revenue in 2023', 'revenue in 2024'],
    ['revenue above 1,000', 'revenue above 1.000'],
    ['revenue over 100', 'revenue under 100'],
    ['temperature > -5', 'temperature > 5'],
    ['revenue of North', 'revenue of South'],
    ['revenue of market', 'revenue of marketing'],
    ['orders with a refund', 'orders without a refund'],
    ['orders that are paid', 'orders that are not paid'],
    ['the top three regions', 'the top four regions'],
    ['when was the highest revenue', 'where was the highest revenue'],
    ['revenue - cost', 'revenue + cost'],
    ['North against South', 'South against North'],
  ])('%s ≠ %s', (one, other) => {
    expect(isSame(one, other)).toBe(false);
  });

  it('takes any word for a value where not all values are known', () => {
    expect(isSame('orders of Walker', 'orders of Walking')).toBe(false);
    expect(isSame('orders of the walkers', 'orders of the walker', MANY)).toBe(false);
    expect(isSame('Orders of the Walker?', 'orders of walker', MANY)).toBe(true);
  });
});

it('likeness is how much two questions share', () => {
  const words = (text: string): readonly string[] => new QuestionKeys({ profile: PROFILE }).words(text);
  expect(likeness(words('total revenue by region'), words('total revenue by region in 2024'))).toBeGreaterThan(0.5);
  expect(likeness(words('total revenue by region'), words('who is the best seller'))).toBe(0);
});

describe('a question that stands alone', () => {
  it.each([
    ...['total revenue by region', 'In 2024, what was the revenue?', 'orders that are paid', 'temperature above 20'],
  ])('%s does', (question) => {
    expect(standsAlone(question)).toBe(true);
  });
  it.each([
    ...[
      'and by month?',
      'by region',
      'What about 2023?',
      'only North',
      'how many of those are paid?',
      'total of that?',
    ],
  ])('%s does not', (question) => {
    expect(standsAlone(question)).toBe(false);
  });
});

it.each([
  ['revenue last month', "SELECT sum(revenue) FROM data WHERE day >= DATE '2024-05-01'", true],
  ['revenue of the last 7 days', "SELECT sum(revenue) FROM data WHERE day >= DATE '2024-05-01'", true],
  ['revenue in May 2024', "SELECT sum(revenue) FROM data WHERE day >= DATE '2024-05-01'", false],
  ['revenue last month', 'SELECT sum(revenue) FROM data WHERE day > today() - 30', false],
  ['the last 10 rows', 'SELECT * FROM data ORDER BY day DESC LIMIT 10', false],
])('a time that moves outdates what has a fixed one: %s by %s, %s', (question, sql, outdated) => {
  expect(outdates(question, null, sql)).toBe(outdated);
});

it('a plan whose dates move is not outdated', () => {
  const lastMonth = { kind: 'time', column: 'day', from: '2024-05-01', to: '2024-06-01' } as const;
  const counting = (filter: Filter): AnalysisPlan => ({
    kind: 'rows',
    columns: [],
    filters: [filter],
    order: [],
    limit: null,
  });
  const moving = { from: 'now-1M/M', to: 'now/M' };
  expect(outdates('orders of last month', counting(lastMonth), null)).toBe(true);
  expect(outdates('orders of last month', counting({ ...lastMonth, moving }), null)).toBe(false);
});
