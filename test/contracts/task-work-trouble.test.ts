import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPrompt } from '../../src/answering/tasks/prompt-reader.js';
import type { TaskAssignment, TaskSubject } from '../../src/answering/tasks/task-assignment.js';
import type { RowReader } from '../../src/ports/row-reader.js';
import { AppError } from '../../src/shared/app-error.js';
import { TamperedRows } from './tampered-rows.js';
import { anAssignment, doneWork, openTaskWorld, type DoneWork, type TaskWorld } from './task-work.fixture.js';

describe('a task that meets trouble', { timeout: 60_000 }, () => {
  let world: TaskWorld;
  beforeAll(async () => {
    world = await openTaskWorld();
  }, 120_000);
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
  });

  function done(parts: Partial<TaskAssignment> & Pick<TaskAssignment, 'prompt'>, rows?: RowReader): Promise<DoneWork> {
    return doneWork(world.work(undefined, rows), anAssignment({ subjects: [world.weather], ...parts }));
  }

  it('goes on when a query fails, and says so', async () => {
    const rows = new TamperedRows(world.reader, (plan, result) => {
      if (JSON.stringify(plan).includes('"wind"')) throw new AppError('timed_out', 'the query took too long');
      return result;
    });
    const { answer, steps } = await done({ prompt: 'average wind by location; average temp_max' }, rows);

    expect(steps.map(({ type }) => type)).toEqual(['error', 'query', 'answer']);
    expect(answer).toContain('The average temp_max is **16.77**');
    expect(answer).toContain('the query took too long');
  });

  it('fails as unavailable when the row store stays away', async () => {
    const rows = new TamperedRows(world.reader, () => {
      throw new AppError('unavailable', 'the engine is away');
    });

    await expect(done({ prompt: 'Analyse the data.' }, rows)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('stops at once when it is told to, wherever it is', async () => {
    const reason = new AppError('timed_out', 'the run took too long');
    for (const after of [1, 3, 6]) {
      const stop = new AbortController();
      let asked = 0;
      const rows = new TamperedRows(world.reader, (_, result) => {
        asked += 1;
        if (asked < after) return result;
        stop.abort(reason);
        return new Promise(() => undefined);
      });
      const work = world.work(undefined, rows);
      const assignment = anAssignment({
        subjects: [world.weather],
        mode: 'report',
        prompt: 'total precipitation by location',
      });

      await expect(doneWork(work, assignment, stop.signal)).rejects.toBe(reason);
      expect(asked).toBe(after);
    }
  });

  it('quotes context files, names them once, and lives without them', async () => {
    const source = {
      fileId: 'f1',
      filename: 'Hand*book.pdf',
      page: 3,
      quote: 'The warranty period is two years. Nothing else.',
    };
    const told = await done({
      prompt: 'What is the warranty period?',
      passagesFor: () => Promise.resolve([source]),
    });
    const without = await done({
      prompt: 'average wind',
      passagesFor: () => Promise.reject(new AppError('unavailable', 'the index is away')),
    });

    expect(told.steps.map(({ type }) => type)).toEqual(['context', 'answer']);
    expect(told.steps[0]?.content).toBe(String.raw`- Hand\*book.pdf, page 3`);
    expect(told.answer).toContain('The warranty period is two years.');
    expect(told.answer).toContain(String.raw`## Context files used`);
    expect(without.answer).toContain('The average wind is **4.101**');
    expect(without.answer).toContain('The context files could not be read: the index is away');
  });

  it('lets nothing of names, prompts and cells become a mark, a link or an image', async () => {
    const evil = '![x](https://evil.example/a.png)<img src=x>|[click](https://evil.example)\n# boo';
    const subject: TaskSubject = { ...world.sales, name: evil };
    for (const mode of ['solve', 'report'] as const) {
      const { answer, steps } = await done({
        mode,
        thinking: true,
        prompt: `${evil}? Analyse it. ${evil}`,
        subjects: [subject, { ...world.otherSales, name: `${evil}2` }],
      });
      for (const text of [answer, ...steps.map(({ content }) => content)]) {
        expect(text).not.toMatch(/(?<!\\)!\[(?!.*\]\(\/api\/v1\/secure\/assistant\/visualizations\/[0-9a-f]+\.png\))/);
        expect(text).not.toMatch(/(?<!\\)<img|https?:\/\/|^# boo/m);
        expect(text).not.toMatch(/(?<!\\)\]\((?!\/api\/v1\/secure\/assistant\/visualizations\/)/);
      }
    }
  });

  it('answers the first 12 questions and names the others', async () => {
    const columns = ['wind', 'temp_max', 'temp_min', 'precipitation'];
    const asked = ['average', 'median', 'maximum', 'minimum'].flatMap((figure) =>
      columns.map((one) => `${figure} ${one}`),
    );
    const { answer } = await done({ prompt: asked.join('\n') });

    expect(readPrompt(asked.join('\n')).questions).toHaveLength(12);
    expect(answer).toContain('Not answered, because a task answers at most 12 questions: “Minimum wind”');
  });

  it('stops asking when its time is up, and writes up what it has', async () => {
    const rows = new TamperedRows(world.reader, (_, result) => {
      world.clock.advance(200_000);
      return result;
    });
    const { answer } = await done({ prompt: 'average wind; average temp_max; average temp_min' }, rows);

    expect(answer).toContain('The average wind is');
    expect(answer).toContain('Not asked, because the time of a run is limited: “Average temp_max”');
  });

  it.each([
    { prompt: ' \n ?!', why: 'the prompt has no words' },
    { prompt: 'average wind', subjects: [], why: 'the task has no datasource to ask' },
  ])('refuses a task without substance: $why', async ({ why, ...parts }) => {
    await expect(done(parts)).rejects.toMatchObject({ kind: 'invalid_input', message: why });
  });
});
