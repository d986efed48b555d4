import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxPool } from '../../src/rows/sandbox/sandbox-pool.js';
import { asId } from '../../src/shared/ids.js';
import { childProcesses } from '../support/child-processes.js';
import { openQueryFixture, type QueryFixture, ROWS, tableAt } from './row-query.fixture.js';

const MEMORY_MB = 400;
const AT_ONCE = 2;
const MIB = 1024 ** 2;
/** What a look that comes late lets through, for each process. */
const LATE_MB = 200;
const STANDING_BY_MB = 150;
const GROWING = ['y', 'z', 'w', 'v'].reduce(
  (text, letter, index) => `replace(${text}, '${'xyzw'.charAt(index)}', repeat('${letter}', ${index < 1 ? 1000 : 50}))`,
  "repeat('x', 1000)",
);

let fixture: QueryFixture;
let pool: SandboxPool;
beforeAll(async () => {
  fixture = await openQueryFixture({ isWarm: false });
  pool = new SandboxPool({ tempDir: join(fixture.folder, 'own'), memoryMb: MEMORY_MB, atOnce: AT_ONCE });
});
afterAll(async () => {
  await pool.stop();
  await fixture.close();
});

function query(statement: string, company: number): Promise<unknown> {
  const ids = { companyId: asId<never>(String(company).repeat(24)), datasourceId: asId<never>('b'.repeat(24)) };
  const limits = { maxRows: 10, timeoutMs: 60_000 };
  return pool
    .query({ tables: [tableAt(fixture.base)], table: { ...ids, generation: 1, visibleFrom: null } }, statement, limits)
    .then(
      ({ rows }) => rows,
      (error: unknown) => error,
    );
}

const sandboxes = async (): Promise<Awaited<ReturnType<typeof childProcesses>>> =>
  (await childProcesses()).filter(({ command }) => command.includes('sandbox.process'));

describe.skipIf(process.platform !== 'linux')('sandboxes', () => {
  it('stay within their share of memory, and tell who asked for more', async () => {
    const statement = `SELECT max(length(${GROWING})) FROM data`;
    const done = new AbortController();
    const asked = Promise.all(Array.from({ length: AT_ONCE }, (_, company) => query(statement, company))).finally(
      () => {
        done.abort();
      },
    );
    let most = 0;
    while (!done.signal.aborted) {
      const bytes = (await sandboxes()).reduce((sum, one) => sum + one.bytes, 0);
      most = Math.max(most, bytes / MIB);
      await pause(60);
    }
    const told = { kind: 'invalid_input', message: 'the query needs more memory than a query may use' };
    expect(await asked).toMatchObject(Array.from({ length: AT_ONCE }, () => told));
    expect(most).toBeGreaterThan(MEMORY_MB);
    expect(most).toBeLessThan(AT_ONCE * (MEMORY_MB + LATE_MB) + STANDING_BY_MB);
    expect(await query('SELECT count(*) FROM data', 1)).toEqual([[ROWS]]);
  });

  it('are ended before the service when the machine has no memory left', async () => {
    await query('SELECT count(*) FROM data', 1);
    const own = Number(await readFile('/proc/self/oom_score_adj', 'utf8'));
    const scores = (await sandboxes()).map(({ oomScore }) => oomScore);
    expect(scores.length).toBeGreaterThan(0);
    for (const score of scores) expect(score).toBeGreaterThan(own);
  });
});
