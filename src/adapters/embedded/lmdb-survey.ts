import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { isIntact, isSealed } from './lmdb-table.js';

const DATABASES = ['documents', 'entries', 'notes'];
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
  if (!existsSync(path)) return { damage: null, moved: false, unsealed: 0 };
  const file = openSync(path, 'r');
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
    began = newestMeta(file).txn;
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
  for (const { database, key, value } of recordsOf(file)) {
    if (!isIntact(key, value)) throw new DamagedPages(`a record of ${database} is not what was written`);
    counts[isSealed(value) ? 'sealed' : 'unsealed'] += 1;
    const due = (counts.sealed + counts.unsealed) % LOOK_AT_THE_TIME_EVERY === 0;
    if (!due || performance.now() < turnEnds) continue;
    await setImmediate();
    turnEnds = performance.now() + TURN_MS;
  }
}

/** Pages that a commit leaves are not written before the next but one: two later, those of a walk may have been reused. */
function hasMoved(file: number, began: number): boolean {
  try {
    return newestMeta(file).txn > began + 1;
  } catch {
    // Its head is damaged too.
    return false;
  }
}

/** What is wrong with a data file. */
class DamagedPages extends Error {}

interface LmdbRecord {
  readonly database: string;
  readonly key: Buffer;
  readonly value: Buffer;
}

const COUNTS = ['branches', 'leaves', 'overflows', 'entries'] as const;

interface Tree extends Readonly<Counts> {
  readonly name: string;
  readonly depth: number;
  readonly root: number | null;
}

type Counts = Record<(typeof COUNTS)[number], number>;

/** What a walk over a tree has come upon. */
interface Tally extends Counts {
  last: Buffer | null;
  /** The next key is not below it. */
  floor: Buffer | null;
}

interface Meta {
  readonly pageSize: number;
  readonly txn: number;
  readonly lastPage: number;
  readonly free: Tree;
  readonly main: Tree;
}

const MAGIC = 0xbeefc0de;
const VERSION = 2;
const META_BYTES = 168;
const PAGE_HEADER = 24;
const NODE_HEADER = 8;
const TREE_BYTES = 48;
const NO_PAGE = 0xffff_ffff_ffff_ffffn;
const IS = { branch: 1, leaf: 2, overflow: 4, meta: 8 } as const;
const VALUE = { here: 0, onPages: 1, tree: 2 } as const;
const PAGE_SIZES = [4096, 8192, 16_384, 32_768, 65_536];
const MOST_DEPTH = 32;

/**
 * Walks over a data file of LMDB, format 2, without LMDB, which trusts its pages and ends the process, or passes over records, when they
 * are damaged. Every page in use is visited once: its place, its order and LMDB's own counts are compared. What is in keys and values is
 * for the caller to check. Nobody may reuse pages meanwhile.
 *
 * @throws DamagedPages
 */
function* recordsOf(file: number): Generator<LmdbRecord> {
  const meta = newestMeta(file);
  const walk = new PageWalk(file, meta);
  for (const { key, value } of walk.records(meta.main)) {
    const name = key.toString('latin1').replace(/\0$/, '');
    demand(DATABASES.includes(name) && value.length === TREE_BYTES, `it names a database ${JSON.stringify(name)}`);
    yield* walk.records(treeAt(value, 0, name, 0));
  }
  for (const { value } of walk.records(meta.free)) walk.free(value);
}

function demand(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new DamagedPages(problem);
}

function bytesAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  demand(readSync(file, bytes, 0, length, at) === length, 'it is cut short');
  return bytes;
}

function newestMeta(file: number): Meta {
  const first = metaAt(file, 0, 0);
  const second = metaAt(file, 1, first.pageSize);
  demand(first.pageSize === second.pageSize, 'its page sizes differ');
  // Each commit writes the other of the two.
  demand(Math.abs(first.txn - second.txn) <= 1, 'its last commits are too far apart');
  return first.txn > second.txn ? first : second;
}

function metaAt(file: number, number: number, at: number): Meta {
  const page = bytesAt(file, at, META_BYTES);
  demand(page.readUInt32LE(24) === MAGIC && page.readUInt32LE(28) === VERSION, 'it is no file of an LMDB database');
  demand(page.readUInt16LE(18) === IS.meta && wordAt(page, 0) === number, 'its head is not in its place');
  const txn = wordAt(page, 152);
  demand(txn === 0 || txn % 2 === number, 'its last commit is not in its place');
  const pageSize = page.readUInt32LE(48);
  demand(PAGE_SIZES.includes(pageSize), 'its page size is none');
  const lastPage = wordAt(page, 144);
  demand(lastPage >= 1 && wordAt(page, 40) >= lastPage * pageSize, 'its size is not its own');
  const [free, main] = [treeAt(page, 48, 'free', IS.meta, pageSize), treeAt(page, 96, 'main', 0)];
  return { pageSize, txn, lastPage, free, main };
}

function treeAt(bytes: Buffer, at: number, name: string, flags: number, pad = 0): Tree {
  demand(bytes.readUInt32LE(at) === pad && bytes.readUInt16LE(at + 4) === flags, `the kind of ${name} is not its own`);
  const [root, depth] = [bytes.readBigUInt64LE(at + 40), bytes.readUInt16LE(at + 6)];
  demand(depth <= MOST_DEPTH, `${name} is too deep`);
  const [branches = 0, leaves = 0, overflows = 0, entries = 0] = [8, 16, 24, 32].map((from) =>
    wordAt(bytes, at + from),
  );
  return { name, depth, branches, leaves, overflows, entries, root: root === NO_PAGE ? null : Number(root) };
}

/** A number that is too large to be one is as wrong as any other. */
function wordAt(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at));
}

class PageWalk {
  private readonly seen: Uint8Array;

  constructor(
    private readonly file: number,
    private readonly meta: Meta,
  ) {
    demand(meta.lastPage * meta.pageSize < 2 ** 46, 'its size is not its own');
    demand(fstatSync(file).size >= 2 * meta.pageSize, 'it is cut short');
    this.seen = new Uint8Array(meta.lastPage + 1);
  }

  *records(tree: Tree): Generator<LmdbRecord> {
    const tally: Tally = { branches: 0, leaves: 0, overflows: 0, entries: 0, last: null, floor: null };
    if (tree.root !== null) yield* this.below(tree.root, tree.depth, tree, tally);
    for (const count of COUNTS) {
      demand(tally[count] === tree[count], `${tree.name} has ${tally[count]} ${count} instead of ${tree[count]}`);
    }
  }

  /** Visits the pages that a record of the list of free pages names: how many, then pages, 0 for nothing, or -n before the first of n. */
  free(list: Buffer): void {
    const length = wordAt(list, 0);
    demand(list.length % 8 === 0 && length < list.length / 8, 'a list of free pages is not as long as it says');
    for (let at = 1; at <= length; at += 1) {
      const entry = Number(list.readBigInt64LE(at * 8));
      if (entry < 0) at += 1;
      if (entry === 0) continue;
      demand(at <= length, 'a list of free pages ends too early');
      this.visit(wordAt(list, at * 8), entry < 0 ? -entry : 1);
    }
  }

  private *below(number: number, depth: number, tree: Tree, tally: Tally): Generator<LmdbRecord> {
    const page = this.page(number, 1, depth > 1 ? IS.branch : IS.leaf);
    if (depth <= 1) {
      tally.leaves += 1;
      for (const at of this.nodesOf(page)) yield this.recordAt(page, at, tree, tally);
      return;
    }
    tally.branches += 1;
    for (const [index, at] of this.nodesOf(page).entries()) {
      const key = page.subarray(at + NODE_HEADER, at + NODE_HEADER + page.readUInt16LE(at + 6));
      // The first one stands for everything below the second.
      if (index > 0) {
        demand(tally.last === null || orderOf(tree, tally.last, key) < 0, `page ${number} is not in order`);
        tally.floor = key;
      }
      yield* this.below(page.readUIntLE(at, 6), depth - 1, tree, tally);
    }
  }

  private recordAt(page: Buffer, at: number, tree: Tree, tally: Tally): LmdbRecord {
    const keyAt = at + NODE_HEADER;
    const valueAt = keyAt + page.readUInt16LE(at + 6);
    const key = page.subarray(keyAt, valueAt);
    demand(tally.last === null || orderOf(tree, tally.last, key) < 0, `${tree.name} is not in order`);
    demand(tally.floor === null || orderOf(tree, tally.floor, key) <= 0, `${tree.name} is not in order`);
    Object.assign(tally, { last: key, floor: null, entries: tally.entries + 1 });
    const [length, kind] = [page.readUInt32LE(at), page.readUInt16LE(at + 4)];
    demand(kind === VALUE.onPages || kind === (tree.name === 'main' ? VALUE.tree : VALUE.here), 'a record has no kind');
    const end = valueAt + (kind === VALUE.onPages ? PAGE_HEADER : length);
    demand(end <= page.length, 'a record is longer than its page');
    const here = page.subarray(valueAt, end);
    const value = kind === VALUE.onPages ? this.valueOn(here, length, tally) : here;
    return { database: tree.name, key, value };
  }

  private valueOn(place: Buffer, length: number, tally: Tally): Buffer {
    const count = Math.ceil((PAGE_HEADER + length) / this.meta.pageSize);
    demand(wordAt(place, 16) === count, 'a long record is longer or shorter than its pages');
    const pages = this.page(wordAt(place, 0), count, IS.overflow);
    demand(pages.readUInt32LE(20) === count, 'a long record is longer or shorter than its pages');
    tally.overflows += count;
    return pages.subarray(PAGE_HEADER, PAGE_HEADER + length);
  }

  private nodesOf(page: Buffer): readonly number[] {
    const [lower, upper] = [page.readUInt16LE(20), page.readUInt16LE(22)];
    const room = page.length - PAGE_HEADER;
    demand(lower > 0 && lower % 2 === 0 && lower <= upper && upper <= room, 'a page is fuller than it can be');
    return Array.from({ length: lower / 2 }, (_, index) => {
      const at = page.readUInt16LE(PAGE_HEADER + 2 * index);
      demand(at >= upper && at + NODE_HEADER <= room, 'a record is not on its page');
      return at + PAGE_HEADER;
    });
  }

  private page(number: number, count: number, kind: number): Buffer {
    this.visit(number, count);
    const { pageSize, txn } = this.meta;
    const page = bytesAt(this.file, number * pageSize, count * pageSize);
    demand(wordAt(page, 0) === number && page.readUInt16LE(18) === kind, `page ${number} is not in its place`);
    demand(wordAt(page, 8) <= txn, `page ${number} is newer than the last commit`);
    return page;
  }

  private visit(first: number, count: number): void {
    const { lastPage } = this.meta;
    demand(first >= 2 && first + count - 1 <= lastPage, `page ${first} is not there`);
    for (let number = first; number < first + count; number += 1) {
      demand(this.seen[number] === 0, `page ${number} is used twice`);
      this.seen[number] = 1;
    }
  }
}

function orderOf({ name }: Tree, left: Buffer, right: Buffer): number {
  if (name !== 'free') return left.compare(right);
  demand(left.length === 8 && right.length === 8, 'a list of free pages has no number');
  return wordAt(left, 0) - wordAt(right, 0);
}
