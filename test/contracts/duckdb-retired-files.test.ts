import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { EngineTable } from '../../src/rows/engine-protocol.js';
import { RetiredFiles } from '../../src/rows/retired-files.js';
import { eventually } from '../support/eventually.js';
import { aFolder } from './row-engine.fixture.js';

const table = (folder: string): EngineTable => ({
  ...{ companyId: 'acme', folder, generation: 1, visibleFrom: null },
});
const basePart = (path: string): { name: string; path: string; merged: number; hasBatches: boolean } => ({
  ...{ name: 'b1', path, merged: 0, hasBatches: true },
});

it('a base that was retired is removed, and another that took its place before nobody read it any more stays', async () => {
  await using folder = await aFolder();
  const [replaced, gone] = [join(folder.path, 'base.1.0.duckdb'), join(folder.path, 'base.2.0.duckdb')];
  const retired = new RetiredFiles(0);
  const removals = [];
  for (const path of [replaced, gone]) {
    await writeFile(path, 'old');
    removals.push(await retired.retire(table(folder.path), basePart(path)));
  }
  await writeFile(join(folder.path, 'draft'), 'new');
  await rename(join(folder.path, 'draft'), replaced);
  for (const remove of removals) await remove([]);
  // Removals go in their order: when the second is done, so is the first.
  await eventually(
    () => stat(gone).catch(() => null),
    (found) => found === null,
  );
  expect(await readFile(replaced, 'utf8')).toBe('new');
});
