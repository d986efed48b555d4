import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'licences-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function licencesIn(cwd: string): Promise<{ readonly code: number; readonly said: string }> {
  return new Promise((answer) => {
    execFile(process.execPath, [resolve('scripts/licences.js')], { cwd }, (error, said) => {
      answer({ code: error === null ? 0 : Number(error.code), said });
    });
  });
}

async function install(name: string, manifest: object, locked: object = {}): Promise<object> {
  const path = `node_modules/${name}`;
  await mkdir(join(folder, path), { recursive: true });
  await writeFile(join(folder, path, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...manifest }));
  return { [path]: locked };
}

it.each([
  [{ license: 'GPL-3.0-only' }, 1],
  [{ license: 'MIT AND GPL-2.0' }, 1],
  [{}, 1],
  [{ license: '(MIT OR GPL-3.0-or-later)' }, 0],
  [{ licenses: [{ type: 'MIT' }] }, 0],
])('a package with %j ends it with %i', async (manifest, code) => {
  const packages = {
    ...(await install('shipped', manifest)),
    ...(await install('tool', { license: 'GPL-3.0' }, { dev: true })),
  };
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  const told = await licencesIn(folder);
  expect(told.code).toBe(code);
  expect(told.said).toContain('shipped@1.0.0');
  expect(told.said).not.toContain('tool');
});
