import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerWords } from '../../src/adapters/analyst/answer-words.js';
import type { ChartCall } from '../../src/adapters/analyst/chart-call.js';
import { chartFor } from '../../src/adapters/analyst/chart-choice.js';
import { WEATHER } from '../../src/adapters/analyst/fixtures/scenes.fixture.js';
import type { AnswerFormat, Focus, Verdict } from '../../src/adapters/analyst/message/understanding.js';
import { purposeOf } from '../../src/adapters/analyst/plan-words.js';
import { boundsFrom, boundsPlanFor } from '../../src/analyst/charts/outlier-bounds.js';
import { sampleFor } from '../../src/adapters/analyst/sample-choice.js';
import { factsOf } from '../../src/adapters/analyst/table-facts.js';
import { filterWords } from '../../src/answering/filter-words.js';
import { KnownFigures, unknownFigures } from '../../src/answering/figure-check.js';
import type { AnalysisPlan } from '../../src/ports/analysis-plan.js';
import type { QueryResult } from '../../src/ports/table.js';
import { CASES, type Case } from './built-in-analyst-words.fixture.js';

const FACTS = factsOf(WEATHER.table);

/** All that is said of a case, as the reader of an answer has it. */
function told(
  { plan, result }: Case,
  how: { format: AnswerFormat; verdict?: Verdict | undefined; focus?: Focus | undefined },
): string {
  const read = { kind: 'plan', plan, purpose: purposeOf(plan), notes: [], unread: [], confidence: 1, ...how } as const;
  return answerWords(read, { result, facts: FACTS, format: how.format }).join('\n\n');
}

function knownOf({ plan, result }: Case): KnownFigures {
  const known = new KnownFigures();
  known.addResult(result);
  known.addText(purposeOf(plan));
  // What a result is judged by, what stands in the plan, and what cannot be told apart from nothing.
  known.add(0.05, 0.01, 0.5, 0.001, 5, 3, 1.5, 25, 75, 8, 10, ...filterNumbers(plan));
  return known;
}

function filterNumbers(plan: AnalysisPlan): readonly number[] {
  return (JSON.stringify(plan).match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
}

function expectDrawable({ x, y, series, title }: ChartCall, { columns }: QueryResult): void {
  const drawn = [x, y, series].filter((name) => name !== null);
  expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining(drawn));
  expect(Array.from(title).length).toBeLessThanOrEqual(120);
}

describe('whatever plan and result come', () => {
  it('words come out, without gaps, whose figures are those of the result', () => {
    fc.assert(
      fc.property(CASES, ({ found, ...how }) => {
        const words = told(found, how);
        expect(words).not.toMatch(/undefined|NaN|Infinity|\bnull\b|\[object/);
        expect(words.replace(/\\\*/g, '').match(/\*\*/g)?.length ?? 2).toSatisfy((marks: number) => marks % 2 === 0);
        expect(words).not.toMatch(/ {2,}|\( | \)| ,|\.\.|-0(?![.\d])/);
        expect(words.length).toBeLessThan(20_000);
        expect(unknownFigures(words, knownOf(found))).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });

  it('purposes, conditions, pictures and side plans come without exception', () => {
    const wishes = fc.record({
      kind: fc.constantFrom(
        null,
        'none' as const,
        'pie' as const,
        'line' as const,
        'histogram' as const,
        'heatmap' as const,
      ),
      distribution: fc.boolean(),
    });
    fc.assert(
      fc.property(CASES, wishes, ({ found: { plan, result }, verdict: judged }, wish) => {
        const read = {
          kind: 'plan',
          plan,
          purpose: purposeOf(plan),
          notes: [],
          unread: [],
          confidence: 1,
          verdict: judged,
        } as const;
        const chart = chartFor(plan, result, wish);
        if (chart !== null) expectDrawable(chart, result);
        sampleFor(read, wish, FACTS);
        const bounds = boundsPlanFor(plan);
        if (bounds !== null) boundsFrom(plan, { ...result, rows: [[1, 2]] });
        expect([read.purpose, ...filterWords(plan)].join(' ')).not.toMatch(/undefined|NaN|\[object/);
      }),
      { numRuns: 1000 },
    );
  });
});
