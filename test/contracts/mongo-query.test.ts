import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell } from '../../src/ports/table.js';
import { mongodbServer } from '../support/mongodb.js';
import { openPipelineFixture, type PipelineFixture } from './mongo-query.fixture.js';
import { PIPELINE_PAIRS } from './mongo-query.legitimate.js';
import { openQueryFixture, type QueryFixture } from './row-query.fixture.js';

describe.skipIf(mongodbServer === undefined)('a pipeline that an analyst writes', () => {
  let fixture: PipelineFixture;
  let duckdb: QueryFixture;

  beforeAll(async () => {
    [fixture, duckdb] = await Promise.all([openPipelineFixture(), openQueryFixture()]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([fixture[Symbol.asyncDispose](), duckdb.close()]);
  });

  it('is one of more than a hundred', () => {
    const pairs = Object.values(PIPELINE_PAIRS).flatMap(({ pairs: some }) => some);
    expect(pairs.length).toBeGreaterThanOrEqual(100);
  });

  it.each(Object.entries(PIPELINE_PAIRS))(
    'gives what DuckDB gives for the same question: %s',
    async (name, { table, pairs }) => {
      const [ref, of] = [await fixture.add(table), await duckdb.add(name, table)];
      const wrong: string[] = [];
      for (const [sql, pipeline] of pairs) {
        const wanted = await duckdb.query(sql, { of });
        const problem = await fixture.query(ref, pipeline).then(
          ({ rows }) => difference(rows, wanted.rows),
          (error: unknown) => String(error),
        );
        if (problem !== null) wrong.push(`${JSON.stringify(pipeline)} => ${problem}`);
      }
      expect(wrong).toEqual([]);
    },
    120_000,
  );
});

function difference(found: readonly (readonly Cell[])[], wanted: readonly (readonly Cell[])[]): string | null {
  if (found.length !== wanted.length) return `${found.length} rows in place of ${wanted.length}`;
  const at = found.findIndex((row, index) => !isAlike(row, wanted[index] ?? []));
  return at < 0 ? null : `row ${at} is ${JSON.stringify(found[at])} in place of ${JSON.stringify(wanted[at])}`;
}

function isAlike(found: readonly Cell[], wanted: readonly Cell[]): boolean {
  return found.length === wanted.length && found.every((cell, index) => isNear(cell, wanted[index] ?? null));
}

function isNear(found: Cell, wanted: Cell): boolean {
  if (typeof found !== 'number' || typeof wanted !== 'number') return found === wanted;
  return Math.abs(found - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted));
}
