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
  const good = { status: 'ready', failuresInARow: 0, scheduleNote: null };
  it.each<[string, Partial<AgentRun>, object]>([
    ['a good run', { status: 'done' }, good],
    ['a person’s good run', { status: 'done', trigger: 'manual' }, good],
    ['a stopped run', { status: 'stopped' }, { status: 'ready' }],
    ['a person’s run that failed', { status: 'error', trigger: 'manual', error: 'no' }, { status: 'error' }],
  ])('%s', (_what, run, expected) => {
    expect(settled(run)).toEqual({ ...ENDED, ...expected });
  });

  const note = 'The schedule paused itself after 5 failed runs in a row. The last one: no model';
  const paused = { automationEnabled: false, nextRunAt: null, scheduleNote: note };
  it.each<[string, Partial<AgentTask>, object]>([
    ['the fourth failure in a row is counted', { failuresInARow: 3 }, { failuresInARow: 4 }],
    ['the fifth pauses the schedule and says why', {}, { failuresInARow: 5, ...paused }],
    ['a schedule that a person paused meanwhile does not', { automationEnabled: false }, { failuresInARow: 5 }],
  ])('%s', (_what, task, expected) => {
    const end = settled({ status: 'error', error: 'no model' }, task);
    expect(end).toEqual({ ...ENDED, status: 'error', ...expected });
  });
});
