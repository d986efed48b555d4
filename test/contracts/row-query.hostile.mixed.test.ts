import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Gate } from '../../src/rows/sandbox/gate.js';
import { SandboxDatabase } from '../../src/rows/sandbox/sandbox-session.js';
import { openQueryFixture, type QueryFixture, tableAt } from './row-query.fixture.js';
import { hostileFamilies } from './row-query.hostile.js';
import { LEGITIMATE } from './row-query.legitimate.js';

const MIXES = process.env['TEST_LONG'] === '1' ? 20_000 : 500;
const PLACES = { folder: '/f', base: '/f/base', neighbour: '/f/n', delta: '/f/d', secretFile: '/f/s' };
const LONGEST_PART = 400;
const NAMES = ['data', 'DATA', 'facts', 'x', 'r', 'a', 'sqlite_master', 'columns', 'recurring', 'main'];
/** The one table that may be read, as the engine itself names it, and what may make rows out of values. */
const OWN = /^(?:rows_[0-9a-f]{32}\.main\.\\?"?data\\?"?|RANGE|GENERATE_SERIES|UNNEST|JSON_EACH|JSON_TREE)$/;

const legitimate = Object.values(LEGITIMATE).flatMap(({ queries }) => queries.map(([sql]) => sql));
const whole = [...[...hostileFamilies(PLACES).values()].flat(), ...legitimate].filter(
  (statement) => statement.length < LONGEST_PART,
);
/** Statements and what stands in their parentheses. */
const parts = whole.flatMap((statement) => [`(${statement})`, ...(statement.match(/\([^()]*\)/g) ?? [])]);

/** A statement of which something is replaced by a piece of another one. */
const mixes = fc
  .record({
    base: fc.constantFrom(...whole),
    part: fc.constantFrom(...parts),
    query: fc.constantFrom(...legitimate),
    name: fc.constantFrom(...NAMES),
    other: fc.constantFrom(...NAMES),
    at: fc.nat(),
    kind: fc.constantFrom('part', 'name', 'with', 'recursive', 'joined'),
  })
  .map(({ base, part, query, name, other, at, kind }) => {
    switch (kind) {
      case 'part':
        return replacedAt(base, /\([^()]*\)/g, at, part);
      case 'name':
        return replacedAt(base, new RegExp(`\\b${other}\\b`, 'g'), at, name);
      case 'with':
        return `WITH ${name} AS (${query}) ${base}`;
      case 'recursive':
        return `WITH RECURSIVE ${name} AS (SELECT 1 UNION ALL ${query}) ${base}`;
      case 'joined':
        return `SELECT * FROM ${name}, ${part} t, (WITH ${other} AS (${base}) FROM ${name}) u`;
    }
  });

function replacedAt(text: string, pattern: RegExp, at: number, by: string): string {
  const places = [...text.matchAll(pattern)];
  const place = places[at % Math.max(places.length, 1)];
  return place ? text.slice(0, place.index) + by + text.slice(place.index + place[0].length) : text;
}

describe('statements mixed from hostile and legitimate ones', () => {
  let fixture: QueryFixture;
  let database: SandboxDatabase;
  beforeAll(async () => {
    fixture = await openQueryFixture({ isWarm: false });
    database = await SandboxDatabase.open([tableAt(fixture.base)], {
      tempDir: await mkdtemp(join(fixture.folder, 'mixed-')),
      memoryMb: 1024,
    });
    await database.show([tableAt(fixture.base)]);
  });
  afterAll(() => fixture.close());

  async function isAllowed(gate: Gate, statement: string): Promise<boolean> {
    const parsed = await database.connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [statement]);
    try {
      gate.assertAllowed(String(parsed.getRows()[0]?.[0]));
      return true;
    } catch {
      return false;
    }
  }

  /** What the engine would read for it, by its own plan; null when it finds the statement wrong. */
  async function sourcesOf(statement: string): Promise<readonly string[] | null> {
    try {
      const explained = await database.connection.runAndReadAll(`EXPLAIN (FORMAT json) ${statement}`);
      const plan = String(explained.getRows()[0]?.[1]);
      return [...plan.matchAll(/"(?:Table|Function)": *"((?:[^"\\]|\\.)*)"/g)].map(([, source = '']) => source);
    } catch {
      return null;
    }
  }

  it('read no other table where the gate lets them through', async () => {
    const gate = new Gate(database.catalog);
    let judged = 0;
    for (const statement of fc.sample(mixes, { numRuns: MIXES, seed: 11 })) {
      const sources = (await isAllowed(gate, statement)) ? await sourcesOf(statement) : null;
      if (sources !== null && sources.length > 0) judged += 1;
      expect(sources?.filter((source) => !OWN.test(source)) ?? [], statement).toEqual([]);
    }
    expect(judged).toBeGreaterThan(10);
  }, 60_000);

  it('would be found out if the gate let them through', async () => {
    const base = database.internal.find((name) => /^rows_[0-9a-f]{32}$/.test(name)) ?? 'none';
    for (const table of ['duckdb_tables', 'sqlite_master', 'duckdb_settings()', `${base}.facts`]) {
      expect(
        (await sourcesOf(`SELECT * FROM ${table}`))?.every((source) => OWN.test(source)),
        table,
      ).toBe(false);
    }
    expect(await sourcesOf('SELECT * FROM data')).toEqual([expect.stringMatching(OWN)]);
  });
});
