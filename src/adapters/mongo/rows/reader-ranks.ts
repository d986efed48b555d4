import { fork } from 'node:child_process';
import { mongo } from 'mongoose';
import { AppError } from '../../../shared/app-error.js';
import { childEntry } from '../../processes/child-entry.js';
import { expendable } from '../../processes/expendable.js';
import type { Stage } from './mongo-table.js';
import { numberOf } from './reader-cells.js';
import { groupedInParts } from './reader-parts.js';
import type { TableReads } from './reader-run.js';

/** The two values of each row. */
export interface RankedPairs {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

export interface Ranked {
  readonly correlation: number | null;
}

/** Sixteen bytes each, and as much again while they are ranked. */
const MOST_PAIRS = 10_000_000;
/** Read together: far fewer documents come, and each is small. */
const PAIRS_TOGETHER = 8000;

/**
 * The rank correlation of many pairs. To rank them the server would have to sort all rows, which its memory does not hold; so the numbers are
 * fetched, and ranked in a process of their own.
 *
 * @param stages give documents with `x` and `y`
 * @throws AppError `invalid_input` when there are too many, and what `TableReads` throws
 */
export async function rankedOf(
  reads: TableReads,
  stages: readonly Stage[],
): Promise<{ readonly correlation: number | null; readonly pairs: number }> {
  const groups = Math.max(1, Math.ceil(reads.table.rows / PAIRS_TOGETHER));
  const together = {
    $group: { _id: { $floor: { $multiply: [{ $rand: {} }, groups] } }, x: { $push: '$x' }, y: { $push: '$y' } },
  };
  const parts = await groupedInParts<RankedPairs>(async (part, before) => {
    const taken = new TakenPairs(MOST_PAIRS - before.reduce((sum, { x }) => sum + x.length, 0));
    await reads.each([...part('t'), ...stages, together], (bytes) => taken.take(bytes));
    return taken.pairs();
  });
  const pairs = { x: joined(parts.map(({ x }) => x)), y: joined(parts.map(({ y }) => y)) };
  const count = pairs.x.length;
  return { correlation: await inProcess(pairs, reads.left()), pairs: count };
}

class TakenPairs {
  private readonly x: Float64Array[] = [];
  private readonly y: Float64Array[] = [];
  private count = 0;

  constructor(private readonly most: number) {}

  take(bytes: Uint8Array): boolean {
    const { x, y } = mongo.BSON.deserialize(bytes) as {
      readonly x: readonly unknown[];
      readonly y: readonly unknown[];
    };
    this.count += x.length;
    if (this.count > this.most) {
      throw new AppError('invalid_input', 'the query needs more memory than a query may use: ask for fewer rows');
    }
    this.x.push(numbersOf(x));
    this.y.push(numbersOf(y));
    return true;
  }

  pairs(): RankedPairs {
    return { x: joined(this.x), y: joined(this.y) };
  }
}

function numbersOf(values: readonly unknown[]): Float64Array {
  return Float64Array.from(values, (value) => numberOf(value) ?? Number.NaN);
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

async function inProcess(pairs: RankedPairs, withinMs: number): Promise<number | null> {
  const { path, execArgv } = childEntry(import.meta.url, './ranks.process');
  const child = fork(path, [], {
    execArgv: [...execArgv],
    env: { TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Numbers go as they are, not as texts.
    serialization: 'advanced',
  });
  expendable(child, 'work');
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<number | null>((resolve, reject) => {
      timer = setTimeout(() => {
        reject(new AppError('timed_out', 'the query took too long'));
      }, withinMs);
      child.once('message', ({ correlation }: Ranked) => {
        resolve(correlation);
      });
      child.once('error', reject);
      child.once('close', () => {
        reject(new AppError('unavailable', 'the query was interrupted: ask again', { retryAfter: 1 }));
      });
      // A child that is gone is noticed by its end.
      child.send(pairs, () => undefined);
    });
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}
