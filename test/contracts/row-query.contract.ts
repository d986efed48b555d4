import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { Cell, QueryResult } from '../../src/ports/table.js';
import { isAppError } from '../../src/shared/app-error.js';
import { type QueryFixture, ROWS, SECRET } from './row-query.fixture.js';
import { BOMBS, ODDITIES } from './row-query.hostile.bombs.js';
import { hostileFamilies } from './row-query.hostile.js';
import type { LegitimateQuery } from './row-query.legitimate.figures.js';
import { LEGITIMATE, REFUSED } from './row-query.legitimate.js';
import { resultContract } from './row-query.results.contract.js';

/** Half of them: nearly each ends its process, and a new one takes half a second. */
const some = (statements: readonly string[]): readonly string[] =>
  process.env['TEST_LONG'] === '1' ? statements : statements.filter((_, index) => index % 2 === 0);
const [SOME_BOMBS, SOME_ODDITIES] = [some(BOMBS), some(ODDITIES)];
const BOMB_MS = 100;
const ODDITY_MS = 1000;
/** Until a process that does not answer is killed, with time to start another on a busy machine. */
const MERCY_MS = 2000 + 20_000;
const AT_ONCE = 2;
const PLACES = { folder: '/f', base: '/f/base', neighbour: '/f/n', delta: '/f/d', secretFile: '/f/s' };
/** What the service's environment holds, and no statement may learn. */
export const CANARY = 'canary-of-the-environment-7f3a';
/** What a complaint would hold that tells where things lie or what they are called inside. */
const INTERNAL = [SECRET, CANARY, tmpdir(), process.cwd(), 'node_modules', 'sandbox-', 'memory.main', 'temp.main'];

interface End {
  readonly kind: string;
  readonly message: string;
}

/** What a statement that somebody else wrote may do, and may not. */
export function rowQueryContract(opened: () => QueryFixture): void {
  async function endOf(statement: string, timeoutMs = 10_000): Promise<End> {
    try {
      const { rows } = await opened().query(statement, { timeoutMs });
      return { kind: 'passed', message: JSON.stringify(rows).slice(0, 500) };
    } catch (error) {
      return isAppError(error) ? error : { kind: 'unforeseen', message: String(error) };
    }
  }

  async function expectHealthy(): Promise<void> {
    const { rows } = await opened().query('SELECT count(*), max("Region") FROM data');
    expect(rows).toEqual([[ROWS, 'West']]);
  }

  describe('a hostile statement', () => {
    const families = hostileFamilies(PLACES);

    it.each([...families.keys()])('is refused, changes nothing and learns nothing: %s', async (family) => {
      const before = await opened().mark();
      const wrong: string[] = [];
      for (const statement of hostileFamilies(opened()).get(family) ?? []) {
        const end = await endOf(statement);
        const problem = refusalProblem(statement, end);
        if (problem !== null) wrong.push(`${statement.slice(0, 200)} => ${problem}: ${end.message}`);
      }
      expect(wrong).toEqual([]);
      expect(await opened().mark()).toBe(before);
      await expectHealthy();
    });
  });

  describe('a bomb', () => {
    it(`ends in time and leaves nothing behind: ${SOME_BOMBS.length} of ${BOMBS.length}`, async () => {
      const before = await opened().mark();
      const wrong = await eachOf(SOME_BOMBS, AT_ONCE, async (statement) => {
        const [end, ms] = await timed(endOf(statement, BOMB_MS));
        const isEnded = end.kind === 'timed_out' || (end.kind === 'invalid_input' && end.message.includes('memory'));
        return isEnded && ms < BOMB_MS + MERCY_MS ? null : `${end.kind} after ${Math.round(ms)} ms: ${end.message}`;
      });
      expect(wrong).toEqual([]);
      await expectHealthy();
      expect(await opened().mark()).toBe(before);
    }, 240_000);

    it(`of another kind is refused, or answered in few rows: ${SOME_ODDITIES.length} of ${ODDITIES.length}`, async () => {
      const wrong = await eachOf(SOME_ODDITIES, AT_ONCE, async (statement) => {
        const [end, ms] = await timed(endOf(statement, ODDITY_MS));
        const isEnded = ['passed', 'invalid_input', 'timed_out'].includes(end.kind);
        if (!isEnded || ms > ODDITY_MS + MERCY_MS) return `${end.kind} after ${Math.round(ms)} ms: ${end.message}`;
        return end.kind === 'passed' ? null : leakIn(statement, end.message);
      });
      expect(wrong).toEqual([]);
      await expectHealthy();
    }, 240_000);
  });

  describe('an analyst’s statement', () => {
    it.each(Object.entries(LEGITIMATE))('gives the rows it should: %s', async (name, { table, queries }) => {
      const of = await opened().add(name, table);
      const wrong: string[] = [];
      for (const query of queries) {
        const problem = await opened()
          .query(query[0], { of })
          .then(
            (result) => resultProblem(query, result),
            (error: unknown) => String(error),
          );
        if (problem !== null) wrong.push(`${query[0]} => ${problem}`);
      }
      expect(wrong).toEqual([]);
    });

    it.each(REFUSED)('is refused with advice where it can be written otherwise: %s', async (statement, advice) => {
      const { kind, message } = await endOf(statement);
      expect(kind).toBe('invalid_input');
      expect(message).toContain(advice);
    });
  });

  resultContract((statement, options) => opened().query(statement, options));
}

/** Why this is no proper refusal. */
function refusalProblem(statement: string, { kind, message }: End): string | null {
  if (kind !== 'invalid_input') return kind;
  // The gate refuses in its own words; the engine's would mean that the statement had come as far as the engine.
  return /^[A-Z]\w+ Error:/.test(message) ? 'came past the gate' : leakIn(statement, message);
}

/** What a message tells that its statement did not. */
function leakIn(statement: string, message: string): string | null {
  const own = statement.replaceAll('"', '');
  const told = INTERNAL.find((word) => message.includes(word) && !own.includes(word));
  if (told !== undefined) return `tells ${told}`;
  return /rows_[0-9a-f]{8}|\bc\d\b/.test(message) ? 'tells a name of the service' : null;
}

function resultProblem([, rows, first = []]: LegitimateQuery, result: QueryResult): string | null {
  if (result.rows.length !== rows) return `${result.rows.length} rows in place of ${rows}`;
  if (result.rows.some((row) => row.length !== result.columns.length)) return 'ragged rows';
  const begin = result.rows[0] ?? [];
  return first.every((cell, index) => isNear(begin[index], cell)) ? null : `begins with ${JSON.stringify(begin)}`;
}

function isNear(found: Cell | undefined, wanted: Cell): boolean {
  if (typeof found !== 'number' || typeof wanted !== 'number') return found === wanted;
  return Math.abs(found - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted));
}

async function timed<T>(work: Promise<T>): Promise<readonly [T, number]> {
  const begin = performance.now();
  const result = await work;
  return [result, performance.now() - begin];
}

/** Tries all statements, some at once, and gives what is wrong with them. */
async function eachOf(
  statements: readonly string[],
  atOnce: number,
  problemOf: (statement: string) => Promise<string | null>,
): Promise<readonly string[]> {
  const left = [...statements];
  const wrong: string[] = [];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const problem = await problemOf(next);
      if (problem !== null) wrong.push(`${next.slice(0, 200)} => ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return wrong;
}
