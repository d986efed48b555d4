import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAppError } from '../../src/shared/app-error.js';
import type { TableRef } from '../../src/ports/table.js';
import { mongodbServer } from '../support/mongodb.js';
import { HIDDEN, openPipelineFixture, type PipelineFixture } from './mongo-query.fixture.js';
import { BOMBS } from './mongo-query.hostile.bombs.js';
import { refusedPipelines } from './mongo-query.hostile.js';
import { SECRET } from './row-query.fixture.js';
import { SALES } from './row-query.legitimate.tables.js';

const BOMB_MS = 1500;
const MERCY_MS = 8000;

interface End {
  readonly kind: string;
  readonly message: string;
}

describe.skipIf(mongodbServer === undefined)('a hostile pipeline', () => {
  let fixture: PipelineFixture;
  let sales: TableRef;

  beforeAll(async () => {
    fixture = await openPipelineFixture();
    sales = await fixture.add(SALES);
  }, 60_000);
  afterAll(() => fixture[Symbol.asyncDispose]());

  async function endOf(pipeline: unknown, timeoutMs = 10_000): Promise<End> {
    try {
      return { kind: 'passed', message: JSON.stringify(await fixture.query(sales, pipeline, { timeoutMs })) };
    } catch (error) {
      return isAppError(error) ? error : { kind: 'unforeseen', message: String(error) };
    }
  }

  /** What a message tells that its pipeline did not. */
  function leakIn(pipeline: string, message: string): string | null {
    const secrets = [SECRET, HIDDEN, ...fixture.internal, 'system.buckets', '127.0.0.1', 'node_modules'];
    const told = secrets.find((word) => message.includes(word) && !pipeline.includes(word));
    return told === undefined ? null : `tells ${told}`;
  }

  it('is one of more than five hundred, no two alike', () => {
    const all = [...refusedPipelines().values()].flat();
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(500);
  });

  it.each([...refusedPipelines()])(
    'is refused by the gate, changes nothing and learns nothing: %s',
    async (_family, pipelines) => {
      const before = await fixture.mark();
      const wrong: string[] = [];
      for (const pipeline of pipelines) {
        const { kind, message } = await endOf(pipeline);
        const problem = message.startsWith("the pipeline can't be run: ")
          ? leakIn(pipeline, message)
          : 'came past the gate';
        if (kind !== 'invalid_input' || problem !== null)
          wrong.push(`${pipeline.slice(0, 200)} => ${kind}, ${problem ?? ''}: ${message.slice(0, 200)}`);
      }
      expect(wrong).toEqual([]);
      expect(await fixture.mark()).toBe(before);
    },
  );

  it(`ends in time, or gives its own rows, when it is a bomb: all ${BOMBS.length}`, async () => {
    const before = await fixture.mark();
    const wrong: string[] = [];
    for (const bomb of BOMBS) {
      const begin = performance.now();
      const { kind, message } = await endOf(bomb, BOMB_MS);
      const ms = performance.now() - begin;
      const isEnded = ['passed', 'timed_out', 'invalid_input'].includes(kind) && ms < BOMB_MS + MERCY_MS;
      const problem = isEnded ? leakIn(JSON.stringify(bomb), message) : `${kind} after ${Math.round(ms)} ms`;
      if (problem !== null || message.length > 1_500_000)
        wrong.push(`${JSON.stringify(bomb)} => ${problem ?? 'long'}: ${message.slice(0, 300)}`);
    }
    expect(wrong).toEqual([]);
    expect(await fixture.mark()).toBe(before);
    expect((await fixture.query(sales, [{ $count: 'n' }])).rows).toEqual([[SALES.rows.length]]);
  }, 240_000);

  it('sees whole rows without what belongs to the store', async () => {
    const { columns, rows } = await fixture.query(sales, [
      { $replaceWith: { all: '$$ROOT' } },
      { $limit: 1 },
      { $replaceWith: '$all' },
    ]);
    expect(columns.map(({ name }) => name)).toEqual(SALES.columns.map(([name]) => name));
    expect(rows).toHaveLength(1);
  });

  it('learns what is wrong with it in words that help', async () => {
    const { message } = await endOf([{ $match: { revenu: 1 } }]);
    expect(message).toBe(
      'the pipeline can\'t be run: there is no field "revenu" at this stage; there are "Order Date", "Region", "product", "units", "Revenue (€)", "returned"',
    );
    expect((await endOf([{ $project: { x: { $divide: ['$units', 0] } } }])).message).toBe("can't $divide by zero");
  });
});
