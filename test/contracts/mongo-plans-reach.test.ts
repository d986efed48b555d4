import fc from 'fast-check';
import { createConnection } from 'mongoose';
import { describe, expect, it } from 'vitest';
import type { AnalysisPlan } from '../../src/ports/analysis-plan.js';
import { HOSTILE_COLUMNS } from '../../src/rows/plan-compiler.hostile.fixture.js';
import type { MongoRow, Stage } from '../../src/adapters/mongo/rows/mongo-table.js';
import { compilePipeline } from '../../src/adapters/mongo/rows/pipeline-compiler.js';
import { isAppError } from '../../src/shared/app-error.js';
import { isRecord } from '../../src/shared/json.js';
import { aDatabase, dropDatabase, mongodbServer } from '../support/mongodb.js';
import { variedPlan } from './mongo-plans.generated.js';

const VISIBLE: readonly Stage[] = [{ $match: { b: { $lt: 7 } } }];
const OWN = 'rows_of_the_plan';
const COLUMNS = HOSTILE_COLUMNS.map(([name, type], index) => ({ name, type, field: `c${index}` }));
/** What reaches beyond the rows that come in, or writes. */
const FAR = ['$unionWith', '$graphLookup', '$out', '$merge', '$function', '$accumulator', '$where', '$documents'];

function stagesOf(plan: AnalysisPlan): readonly Stage[] | null {
  try {
    return compilePipeline(plan, COLUMNS, { maxRows: 100, source: { collection: OWN, visible: VISIBLE } }).stages;
  } catch (error) {
    if (isAppError(error, 'invalid_input')) return null;
    throw error;
  }
}

/** Every field of everything, except where a text is data. */
function fieldsOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  if (!isRecord(value) || value instanceof Date) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const inner = name === '$literal' ? [] : fieldsOf(part);
    return [[name, part] as const, ...inner];
  });
}

const plans = fc.sample(variedPlan, { seed: 21, numRuns: 600 });

describe('the pipeline of a plan', () => {
  it('reads the rows of its own table alone, and of them those that can be seen', () => {
    let lookups = 0;
    for (const plan of plans)
      for (const [name, part] of fieldsOf(stagesOf(plan) ?? [])) {
        expect(FAR).not.toContain(name);
        if (name !== '$lookup' || !isRecord(part)) continue;
        lookups += 1;
        expect(part['from']).toBe(OWN);
        expect((part['pipeline'] as readonly Stage[]).slice(0, VISIBLE.length)).toEqual(VISIBLE);
      }
    expect(lookups).toBeGreaterThan(50);
  }, 120_000);

  it.skipIf(mongodbServer === undefined)(
    'is planned by the server over that collection alone',
    async () => {
      const uri = aDatabase();
      const connection = await createConnection(uri).asPromise();
      try {
        const rows = connection.collection<MongoRow>(OWN);
        await rows.insertOne({ b: 1, c0: 1 });
        const seen = new Set<unknown>();
        const compiled = plans
          .slice(0, 200)
          .map(stagesOf)
          .filter((stages) => stages !== null);
        for (const stages of compiled) {
          const explained = await rows.aggregate([...VISIBLE, ...stages]).explain('queryPlanner');
          const places = fieldsOf(explained).filter(([name]) => name === 'namespace' || name === 'ns');
          places.forEach(([, place]) => seen.add(place));
        }
        expect([...seen]).toEqual([`${connection.name}.${OWN}`]);
      } finally {
        await connection.close();
        await dropDatabase(uri);
      }
    },
    120_000,
  );
});
