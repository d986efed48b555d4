import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childProcesses } from '../support/child-processes.js';
import { ServiceProcess } from '../support/service-process.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'das-start-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a service that can not start says why in a sentence and exits with 1', () => {
  const noStack = /(^|\\n)\s+at |"stack"/m;

  it('for bad variables: every one, by name and never by value', async () => {
    const end = await ServiceProcess.startInVain({
      DATA_DIR: join(folder, 'a'),
      PORT: 'seventy',
      LOG_LEVEL: 'shout',
      JWT_SECRET: 'tooshort-value',
      OPENAI_BASE_URL: 'not an address',
    });
    expect(end.code).toBe(1);
    for (const name of ['PORT', 'LOG_LEVEL', 'JWT_SECRET', 'OPENAI_BASE_URL']) expect(end.stderr).toContain(name);
    expect(end.stderr).not.toMatch(/seventy|shout|tooshort|not an address/);
    expect(end.stderr + end.stdout).not.toMatch(noStack);
  });

  it('for a port that is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => blocker.once('listening', listening));
    const { port } = blocker.address() as AddressInfo;
    const end = await ServiceProcess.startInVain({ DATA_DIR: join(folder, 'b'), PORT: String(port) });
    blocker.close();
    expect(end).toMatchObject({ code: 1 });
    expect(end.stderr).toContain(`127.0.0.1:${port} is taken`);
    expect(end.stderr + end.stdout).not.toMatch(noStack);
  });

  it('for a data folder that is a file', async () => {
    const file = join(folder, 'file');
    await writeFile(file, 'x');
    const end = await ServiceProcess.startInVain({ DATA_DIR: file });
    expect(end).toMatchObject({ code: 1 });
    expect(end.stderr).toContain(file);
    expect(end.stderr + end.stdout).not.toMatch(noStack);
  });

  it('for a store that is away', async () => {
    const end = await ServiceProcess.startInVain({
      DATA_DIR: join(folder, 'c'),
      MONGODB_URI: 'mongodb://someone:pass-word@127.0.0.1:1/test',
      JWT_SECRET: 'x'.repeat(40),
    });
    expect(end).toMatchObject({ code: 1 });
    expect(end.stderr + end.stdout).not.toMatch(/pass-word/);
    expect(end.stderr + end.stdout).not.toMatch(noStack);
  });
});

describe('two services on one data folder', () => {
  it('the second refuses, the first goes on, and the folder is free when it ends; children end before their service', async () => {
    const shared = join(folder, 'shared');
    const first = await ServiceProcess.start({ DATA_DIR: shared });
    const second = await ServiceProcess.startInVain({ DATA_DIR: shared });
    expect(second).toMatchObject({ code: 1 });
    expect(second.stderr).toContain('another instance of the service is using the data folder');
    expect((await fetch(`${first.url}/health/ready`)).status).toBe(200);
    expect(await first.stop()).toMatchObject({ code: 0 });
    await using third = await ServiceProcess.start({ DATA_DIR: shared });
    expect((await fetch(`${third.url}/health/live`)).status).toBe(200);
    if (process.platform === 'linux') await expectChildrenEndFirst(third);
  });
});

/** When there is no memory left. */
async function expectChildrenEndFirst(service: ServiceProcess): Promise<void> {
  const own = (await childProcesses()).find(({ pid }) => pid === service.pid);
  const children = await childProcesses(service.pid);
  expect(children.some(({ command }) => command.includes('engine.process'))).toBe(true);
  for (const { oomScore } of children) expect(oomScore).toBeGreaterThan(own?.oomScore ?? Infinity);
}
