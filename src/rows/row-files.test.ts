import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RowFiles } from './row-files.js';

it('refuses a folder with rows of an earlier version, and no other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'row-files-'));
  try {
    const files = new RowFiles(folder);
    await files.prepare();
    await files.clean();
    await expect(files.assertNoOlderRows()).resolves.toBeUndefined();
    await mkdir(join(files.root, '65f0c0ffee65f0c0ffee65f0'));
    await expect(files.assertNoOlderRows()).rejects.toMatchObject({ kind: 'conflict' });
  } finally {
    await rm(folder, { recursive: true });
  }
});
