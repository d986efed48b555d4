import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { type ExportOrder, ExportRuns } from './export-runs.js';

const COLUMN = { physical: 'c0', name: 'c0', type: 'text' } as const;
const ORDER: ExportOrder = {
  format: 'csv',
  base: 'none',
  later: null,
  ...{ width: 1, meta: COLUMN, time: COLUMN },
  columns: [],
  ...{ asset: null, from: null, to: null, timeFormats: [] },
};

it('an export that can not even be begun is over, so that it keeps nobody’s turn', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'exports-'));
  await rm(folder, { recursive: true });
  const ended = vi.fn();
  const runs = new ExportRuns(folder, { wholeMs: 1000, stalledMs: 1000 });
  await expect(runs.start(ORDER, ended)).rejects.toThrow('ENOENT');
  expect(ended).toHaveBeenCalledOnce();
});
