import { describe, expect, it } from 'vitest';
import type { AgentTask } from '../tasks/task.schema.js';
import { settlementOf } from './run-closing.js';
import type { AgentRun } from './run.schema.js';

const NOW = new Date('2026-01-01T00:00:00Z');

function settled(run: Partial<AgentRun>, task: Partial<AgentTask> = {}): object {
  const scheduled = { automationEnabled: true, failuresInARow: 4, ...task };
  return settlementOf(scheduled as AgentTask, { trigger: 'schedule', error: null, ...run } as AgentRun, NOW);
}

const ENDED = { seed: null, leaseOwner: null, leaseUntil: null, updatedAt: NOW };

describe('what the end of a run makes of its task', () => {
  it.each<[string, Partial<AgentRun>, object]>([
    ['a good run', { status: 'done' }, { status: 'ready', failuresInARow: 0, scheduleNote: null }],
    [
      'a person’s good run',
      { status: 'done', trigger: 'manual' },
      { status: 'ready', failuresInARow: 0, scheduleNote: null },
    ],
    ['a stopped run', { status: 'stopped' }, { status: 'ready' }],
    ['a person’s run that failed', { status: 'error', trigger: 'manual', error: 'no' }, { status: 'error' }],
  ])('%s', (_what, run, expected) => {
    expect(settled(run)).toEqual({ ...ENDED, ...expected });
  });

  it('the fourth failure in a row is counted', () => {
    expect(settled({ status: 'error', error: 'no' }, { failuresInARow: 3 })).toEqual({
      ...ENDED,
      status: 'error',
      failuresInARow: 4,
    });
  });

  it('the fifth pauses the schedule and says why', () => {
    expect(settled({ status: 'error', error: 'no model' })).toEqual({
      ...ENDED,
      status: 'error',
      failuresInARow: 5,
      automationEnabled: false,
      nextRunAt: null,
      scheduleNote: 'The schedule paused itself after 5 failed runs in a row. The last one: no model',
    });
  });

  it('a schedule that a person paused meanwhile does not say that it did so itself', () => {
    expect(settled({ status: 'error', error: 'no' }, { automationEnabled: false })).toEqual({
      ...ENDED,
      status: 'error',
      failuresInARow: 5,
    });
  });
});
