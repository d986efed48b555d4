import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppConfig } from '../../src/config/app-config.js';
import { readEnvironment } from '../../src/config/environment.js';
import { divided, memoryMb } from '../../src/config/memory-shares.js';

const MIB = 1024 ** 2;

const LIMIT = 'sys/fs/cgroup/memory.max';
const OLD_LIMIT = 'sys/fs/cgroup/memory/memory.limit_in_bytes';
const OF_UNIT = {
  'proc/self/cgroup': '0::/system.slice/das.service\n',
  'sys/fs/cgroup/system.slice/das.service/memory.max': `${4096 * MIB}`,
};

it.each<[string, Readonly<Record<string, string>>, number]>([
  ['the machine has, without a limit', {}, 24_000],
  ['the machine has, where the limit is none', { [LIMIT]: 'max\n' }, 24_000],
  ['the machine has, on older systems', { [OLD_LIMIT]: '9223372036854771712' }, 24_000],
  ['the container may take', { [LIMIT]: `${6144 * MIB}\n` }, 6144],
  ['the container may take, on older systems', { [OLD_LIMIT]: `${512 * MIB}` }, 512],
  ['the unit of the service may take', OF_UNIT, 4096],
])('the memory there is is what %s', async (_, files, expected) => {
  const root = await mkdtemp(join(tmpdir(), 'das-cgroup-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  expect(memoryMb(root, 24_000 * MIB)).toBe(expected);
  await rm(root, { recursive: true });
});

describe('the shares', () => {
  it.each([3584, 4096, 6144, 8192, 16_384, 65_536])('fit into %d MB together', (limit) => {
    const { sum, sandboxes, sandbox } = divided(limit, {});
    expect(sum).toBeLessThanOrEqual(limit);
    expect(sandboxes).toBeGreaterThanOrEqual(1);
    expect(sandbox).toBeGreaterThanOrEqual(320);
  });

  it('of the container that is shipped', () => {
    expect(divided(6144, {})).toEqual({
      ...{ engine: 1024, import: 1024, sandboxes: 4, sandbox: 512, sum: 6144, engineProcess: 1536 },
    });
    expect(divided(24_576, {})).toMatchObject({ sandbox: 1024, sum: 8192, engineProcess: 24_576 - 8192 + 1536 });
  });

  it('can be given one by one, and tell when they do not fit', () => {
    const shares = { ENGINE_MEMORY_MB: '2048', IMPORT_MEMORY_MB: '512' };
    const variables = { ...shares, SANDBOX_MEMORY_MB: '700', SANDBOXES_AT_ONCE: '3' };
    const config = new AppConfig(readEnvironment(variables), 6144);
    expect(config.storage).toMatchObject({ engineMemoryMb: 2048, importMemoryMb: 512 });
    expect(config.sandbox).toEqual({ atOnce: 3, memoryMb: 700 });
    expect(config.memory.sumMb).toBeGreaterThan(6144);
    const one = new AppConfig(readEnvironment({ SANDBOX_MEMORY_MB: '1000' }), 6144);
    expect(one.sandbox).toEqual({ atOnce: 2, memoryMb: 1000 });
  });
});
