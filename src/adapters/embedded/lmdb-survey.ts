import { closeSync, openSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { isRecord } from '../../shared/json.js';
import { DamagedPages, lastCommit, recordsOf } from './lmdb-pages.js';
import { isIntact, isSealed } from './lmdb-table.js';

export const DATABASES = ['documents', 'entries', 'notes'];
const LOOK_AT_THE_TIME_EVERY = 256;
const TURN_MS = 5;

export interface Survey {
  /** What is wrong with the file; null: nothing. */
  readonly damage: string | null;
  /** Somebody has written meanwhile, and damage may be none. */
  readonly moved: boolean;
  /** Records without a checksum. */
  readonly unsealed: number;
}

/** Looks at all that is in use of a data file: every page, every record and its checksum. */
export async function survey(path: string): Promise<Survey> {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (isRecord(error) && error['code'] === 'ENOENT') return { damage: null, moved: false, unsealed: 0 };
    throw error;
  }
  try {
    return await look(file);
  } finally {
    closeSync(file);
  }
}

async function look(file: number): Promise<Survey> {
  const counts = { sealed: 0, unsealed: 0 };
  let began = 0;
  try {
    began = lastCommit(file);
    await count(file, counts);
    // A version that writes no checksums has written none.
    const isMixed = counts.sealed > 0 && counts.unsealed > 0;
    return { damage: isMixed ? 'a record has no checksum' : null, moved: false, unsealed: counts.unsealed };
  } catch (error) {
    if (!(error instanceof DamagedPages)) throw error;
    return { damage: error.message, moved: began > 0 && hasMoved(file, began), unsealed: 0 };
  }
}

async function count(file: number, counts: { sealed: number; unsealed: number }): Promise<void> {
  let turnEnds = performance.now() + TURN_MS;
  for (const { database, key, value } of recordsOf(file, DATABASES)) {
    if (!isIntact(key, value)) throw new DamagedPages(`a record of ${database} is not what was written`);
    counts[isSealed(value) ? 'sealed' : 'unsealed'] += 1;
    const due = (counts.sealed + counts.unsealed) % LOOK_AT_THE_TIME_EVERY === 0;
    if (!due || performance.now() < turnEnds) continue;
    await setImmediate();
    turnEnds = performance.now() + TURN_MS;
  }
}

/** Pages that a commit leaves are not written before the next but one. */
function hasMoved(file: number, began: number): boolean {
  try {
    return lastCommit(file) > began + 1;
  } catch {
    // Its head is damaged too.
    return false;
  }
}
