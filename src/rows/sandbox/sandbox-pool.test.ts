import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

/** Modules that are loaded with a module, types apart, and the packages that they import. */
async function packagesOf(url: URL, seen = new Set<string>()): Promise<ReadonlySet<string>> {
  if (seen.has(url.href)) return seen;
  seen.add(url.href);
  const source = await readFile(url, 'utf8');
  for (const [, name = ''] of source.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm)) {
    if (name.startsWith('.')) await packagesOf(new URL(name.replace(/\.js$/, '.ts'), url), seen);
    else seen.add(name);
  }
  return seen;
}

it.each([
  './sandbox-pool.ts',
  '../plans/plan-compiler.ts',
  '../engine/engine-client.ts',
  '../duckdb-row-engine.ts',
  '../duckdb-row-downloads.ts',
])('keeps the database out of the process of the API: %s', async (name) => {
  const loaded = await packagesOf(new URL(name, import.meta.url));
  expect([...loaded].filter((one) => one.startsWith('@duckdb') || one === 'papaparse')).toEqual([]);
  expect(loaded.size).toBeGreaterThan(1);
});

it('loads the database in the process of its own', async () => {
  const loaded = await packagesOf(new URL('./sandbox.process.ts', import.meta.url));
  expect(loaded).toContain('@duckdb/node-api');
});
