import { describe, expect, it } from 'vitest';
import type { NumberedTaskStep, TaskStep } from '../../../ports/task-step.js';
import { nextStep, troubleStep } from './run-records.js';

const AT = new Date('2026-01-01T00:00:00Z');
const STEP: TaskStep = { ...troubleStep('Asked', 'an answer', AT), type: 'query' };
const steps = (count: number): NumberedTaskStep[] =>
  Array.from({ length: count }, (_, index) => ({ ...STEP, index: index + 1 }));

describe('the next step of a run', () => {
  it('is kept whole up to 8,000 characters, and cut beyond', () => {
    const kept = (length: number): string => troubleStep('Asked', 'x'.repeat(length), AT).content;
    expect(kept(8_000)).toHaveLength(8_000);
    expect(kept(8_001)).toBe(`${'x'.repeat(7_999)}…`);
  });

  it('says at the 200th that there are more, and then is none', () => {
    expect(nextStep(steps(198), STEP)).toMatchObject({ index: 199, title: 'Asked' });
    expect(nextStep(steps(199), STEP)).toMatchObject({ index: 200, title: 'Further steps are not recorded' });
    expect(nextStep(steps(200), STEP)).toBeNull();
  });
});
