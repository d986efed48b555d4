import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerWords } from '../../src/analyst/answer-text/answer-words.js';
import { conditionsOf, figureConditionsOf, purposeOf } from '../../src/plan/wording.js';
import { chartFor, type ChartCall } from '../../src/analyst/charts/chart-choice.js';
import { boundsFrom, boundsPlanFor } from '../../src/analyst/message-answer.js';
import { sampleFor } from '../../src/analyst/charts/samples.js';
import { WEATHER } from '../../src/analyst/profiles.fixture.js';
import { factsOf } from '../../src/analyst/reading/table.js';
import { KnownFigures, unknownFigures } from '../../src/answering/figure-check.js';
import type { AnalysisPlan } from '../../src/ports/analysis-plan.js';
import { CHART_KINDS } from '../../src/ports/chart-renderer.js';
import type { QueryResult } from '../../src/ports/table.js';
import { CASES, type Case } from './built-in-analyst-words.fixture.js';

const FACTS = factsOf(WEATHER.table);

/** All that is said of a case, as the reader of an answer has it. */
function told({ plan, result }: Case, decimals: number | null): string {
  return answerWords({ purpose: purposeOf(plan), notes: [] }, { plan, result, facts: FACTS, decimals }).join('\n\n');
}

function knownOf({ plan, result }: Case): KnownFigures {
  const known = new KnownFigures();
  known.addResult(result);
  known.addText(purposeOf(plan));
  // What a result is judged by, what stands in the plan, and what cannot be told apart from nothing.
  known.add(0.05, 0.001, 25, 75, 8, 10, ...filterNumbers(plan));
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
      fc.property(CASES, fc.constantFrom(null, 0, 2), (found, decimals) => {
        const words = told(found, decimals);
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
      kind: fc.constantFrom(null, 'none' as const, ...CHART_KINDS),
      distribution: fc.boolean(),
      unknown: fc.constantFrom(null, 'box plot'),
    });
    fc.assert(
      fc.property(CASES, wishes, ({ plan, result }, wish) => {
        const { chart, why } = chartFor(plan, result, wish);
        if (chart !== null) expectDrawable(chart, result);
        if (wish.unknown === null && chart?.kind === wish.kind) expect(why).toBeNull();
        sampleFor(plan, wish, FACTS);
        const bounds = boundsPlanFor(plan);
        if (bounds !== null) boundsFrom(plan, { ...result, rows: [[1, 2]] });
        expect([purposeOf(plan), why, ...conditionsOf(plan), ...figureConditionsOf(plan)].join(' ')).not.toMatch(
          /undefined|NaN|\[object/,
        );
      }),
      { numRuns: 1000 },
    );
  });
});
