import { describe, expect, it } from 'vitest';
import { comparisonOf, sinceLastRun } from './changes.js';
import { figuresOf } from './figures.js';
import type { TaskFigure, TaskSubject } from './task-assignment.js';
import { aPlan, anAsked, aSubject } from './tasks.fixture.js';

const HEAD = '**Compared with the run of 3 March 2024, 10:00 UTC:**';

function figures(...values: readonly number[]): readonly TaskFigure[] {
  return values.map((value, index) => ({ key: `k${index}`, label: `figure ${index}`, value }));
}

function since(before: readonly TaskFigure[], now: readonly TaskFigure[]): string {
  return sinceLastRun({ finishedAt: new Date('2024-03-03T10:00:00.000Z'), figures: before }, now);
}

describe('what changed since the last run', () => {
  it.each([
    ['a figure changed', figures(20.1), figures(21.3), '\n\n- figure 0 **21.3** (was 20.1, +6 %)'],
    ['nothing changed', figures(1, 2), figures(1, 2), ' nothing changed in 2 figures.'],
    ['no digit shows it', figures(1000.001), figures(1000.002), ' nothing changed in 1 figure.'],
    ['from nothing', figures(0), figures(5), '\n\n- figure 0 **5** (was 0)'],
    ['many times as much', figures(2), figures(50), '\n\n- figure 0 **50** (was 2, 25 times)'],
    ['negative', figures(-10), figures(-15), '\n\n- figure 0 **-15** (was -10, -50 %)'],
    ['nothing in common', figures(), figures(5), ' none of its figures can be compared with those of this run.'],
  ])('is said when %s', (_, before, now, words) => {
    expect(since(before, now)).toBe(HEAD + words);
  });

  it('names the 8 largest changes and counts the others', () => {
    const before = figures(...Array<number>(11).fill(100));
    const words = since(before, figures(...before.map((_, index) => 100 + index)));
    expect(words.match(/^- figure/gm)).toHaveLength(8);
    expect(words).not.toContain('figure 1 ');
    expect(words).toContain('- Other figures: 2 more changed, 1 unchanged.');
    expect(sinceLastRun(null, figures(1))).toBe('');
  });

  it('has labels that are text and not Markdown', () => {
    const evil = [1, 2].map((value) => [{ key: 'k', label: '[x](http://evil.example)', value }]);
    expect(since(evil[0]!, evil[1]!)).not.toMatch(/(?<!\\)\]\(|:\/\//);
  });
});

describe('a comparison of datasources', () => {
  const [north, south, later] = ['North', 'South', 'Later'].map((name) => aSubject({ name }));
  type Asked = Parameters<typeof anAsked>[0];
  const compared = (one: Asked, other: Asked, second: TaskSubject = south!): string => {
    const asked = [anAsked({ subject: north!, ...one }), anAsked({ subject: second, ...other })];
    return comparisonOf(figuresOf(asked), [north!, second]);
  };

  it('puts the same figure side by side, with difference and ratio, but none to nothing', () => {
    expect(compared({ rows: [[50]] }, { rows: [[200]] })).toContain('| total revenue | 50 | 200 | 150 | 4 |');
    expect(compared({ rows: [[0]] }, { rows: [[200]] })).toContain('| total revenue | 0 | 200 | 200 | – |');
  });

  it('compares nothing that was not asked in the same way', () => {
    const plan = aPlan({ measures: [{ aggregate: 'avg', column: 'revenue', label: 'total revenue' }] });
    expect(compared({}, { plan })).toBe('');
  });

  it('compares columns of the same words, and says when the times differ', () => {
    const timeRange = { from: '2025-01-01T00:00:00.000Z', to: '2025-02-01T00:00:00.000Z' };
    const subject = { ...later!, profile: { ...later!.profile, timeRange } };
    const plan = aPlan({ measures: [{ aggregate: 'sum', column: 'Revenue', label: 'r' }] });
    expect(compared({}, { plan }, subject)).toContain(
      'span different times (North 2024-01-01 to 2024-06-29; Later 2025-01-01',
    );
  });
});
