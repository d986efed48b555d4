import { describe, expect, it } from 'vitest';
import { comparisonOf, sinceLastRun } from './changes.js';
import { figuresOf } from './figures.js';
import type { TaskFigure } from './task-assignment.js';
import { aPlan, anAsked, aSubject } from './tasks.fixture.js';

const AT = new Date('2024-03-03T10:00:00.000Z');
const HEAD = '**Compared with the run of 3 March 2024, 10:00 UTC:**';

function figures(...values: readonly number[]): readonly TaskFigure[] {
  return values.map((value, index) => ({ key: `k${index}`, label: `figure ${index}`, value }));
}

function since(before: readonly TaskFigure[], now: readonly TaskFigure[]): string {
  return sinceLastRun({ finishedAt: AT, figures: before }, now);
}

describe('what changed since the last run', () => {
  it('is said with the figure before and the change', () => {
    const before = [{ key: 'k', label: 'average temperature', value: 20.1 }];
    const now = [{ key: 'k', label: 'average temperature', value: 21.3 }];
    expect(since(before, now)).toBe(`${HEAD}\n\n- average temperature **21.3** (was 20.1, +6 %)`);
  });

  it.each([
    ['nothing changed', figures(1, 2), figures(1, 2), `${HEAD} nothing changed in 2 figures.`],
    ['no digit shows it', figures(1000.001), figures(1000.002), `${HEAD} nothing changed in 1 figure.`],
    ['from nothing', figures(0), figures(5), `${HEAD}\n\n- figure 0 **5** (was 0)`],
    ['many times as much', figures(2), figures(50), `${HEAD}\n\n- figure 0 **50** (was 2, 25 times)`],
    ['negative', figures(-10), figures(-15), `${HEAD}\n\n- figure 0 **-15** (was -10, -50 %)`],
    ['nothing in common', figures(), figures(5), `${HEAD} none of its figures can be compared with those of this run.`],
  ])('when %s', (_, before, now, words) => {
    expect(since(before, now)).toBe(words);
  });

  it('names the 8 largest changes and counts the others', () => {
    const before = figures(...Array.from({ length: 11 }, () => 100));
    const now = figures(...Array.from({ length: 11 }, (_, index) => 100 + index));
    const words = since(before, now);
    expect(words.match(/^- figure/gm)).toHaveLength(8);
    expect(words).not.toContain('figure 1 ');
    expect(words).toContain('- Other figures: 2 more changed, 1 unchanged.');
    expect(sinceLastRun(null, figures(1))).toBe('');
  });

  it('has labels that are text and not Markdown', () => {
    const evil = [{ key: 'k', label: '[x](http://evil.example)', value: 1 }];
    expect(since(evil, [{ ...evil[0]!, value: 2 }])).not.toMatch(/(?<!\\)\]\(|:\/\//);
  });
});

describe('a comparison of datasources', () => {
  const [north, south] = [aSubject({ name: 'North' }), aSubject({ name: 'South' })];
  const compared = (a: number, b: number): string => {
    const asked = [anAsked({ subject: north, rows: [[a]] }), anAsked({ subject: south, rows: [[b]] })];
    return comparisonOf(figuresOf(asked), [north, south]);
  };

  it('puts the same figure side by side, with difference and ratio, but none to nothing', () => {
    expect(compared(50, 200)).toContain('| total revenue | 50 | 200 | 150 | 4 |');
    expect(compared(0, 200)).toContain('| total revenue | 0 | 200 | 200 | – |');
  });

  it('compares nothing that was not asked in the same way', () => {
    const other = aPlan({ measures: [{ aggregate: 'avg', column: 'revenue', label: 'total revenue' }] });
    const figures = figuresOf([anAsked({ subject: north }), anAsked({ subject: south, plan: other })]);
    expect(comparisonOf(figures, [north, south])).toBe('');
  });

  it('compares columns of the same words, and says when the times differ', () => {
    const later = aSubject({ name: 'Later' });
    const timeRange = { from: '2025-01-01T00:00:00.000Z', to: '2025-02-01T00:00:00.000Z' };
    const subject = { ...later, profile: { ...later.profile, timeRange } };
    const measures = [{ aggregate: 'sum', column: 'Revenue', label: 'r' }] as const;
    const figures = figuresOf([anAsked({ subject: north }), anAsked({ subject, plan: aPlan({ measures }) })]);

    expect(comparisonOf(figures, [north, subject])).toContain(
      'span different times (North 2024-01-01 to 2024-06-29; Later 2025-01-01',
    );
  });
});
