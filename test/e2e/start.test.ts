import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { putFiles } from '../api/context-files.builder.js';
import { childProcesses } from '../support/child-processes.js';
import { ServiceProcess, signIn, WITH_ADMIN } from '../support/service-process.js';
import type { TestClient } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';
import { aConversation, beginImport, csvOf, expectImported } from './sensors.builder.js';

let folder: string;
let before: number;
beforeAll(async () => {
  // What most shells allow.
  before = process.umask(0o022);
  folder = await mkdtemp(join(tmpdir(), 'das-start-'));
  await chmod(folder, 0o755);
});
afterAll(async () => {
  process.umask(before);
  await rm(folder, { recursive: true, force: true });
});

describe('a service that can not start says why in a sentence and exits with 1', () => {
  const noStack = /(^|\\n)\s+at |"stack"/m;

  it('for a port that is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => blocker.once('listening', listening));
    const { port } = blocker.address() as AddressInfo;
    const end = await ServiceProcess.startInVain({ DATA_DIR: join(folder, 'taken'), PORT: String(port) });
    blocker.close();
    expect(end).toMatchObject({ code: 1 });
    expect(end.stderr).toContain(`127.0.0.1:${port} is taken`);
    expect(end.stderr + end.stdout).not.toMatch(noStack);
  });

  it('for a store that is away', async () => {
    const end = await ServiceProcess.startInVain({
      DATA_DIR: join(folder, 'away'),
      MONGODB_URI: 'mongodb://someone:pass-word@127.0.0.1:1/test',
      JWT_SECRET: 'x'.repeat(40),
    });
    expect(end).toMatchObject({ code: 1 });
    expect(end.stderr + end.stdout).not.toMatch(/pass-word/);
    expect(end.stderr + end.stdout).not.toMatch(noStack);
  });
});

const elsewhere = notApplicable(SHARED_SERVERS, 'it looks into the files of the embedded stores');

describe.skipIf(elsewhere)('a data folder', () => {
  let own: string;
  beforeAll(async () => {
    own = await mkdtemp(join(folder, 'own-'));
    await chmod(own, 0o755);
  });

  async function openToOthers(path: string): Promise<readonly string[]> {
    const found: string[] = [];
    for (const name of ['.', ...(await readdir(path, { recursive: true }))]) {
      // What is gone meanwhile is open to nobody.
      const mode = await stat(join(path, name)).then(
        (entry) => entry.mode & 0o077,
        () => 0,
      );
      if (mode !== 0) found.push(`${name} ${mode.toString(8)}`);
    }
    return found;
  }

  async function everyKindOfWork(client: TestClient): Promise<void> {
    const id = await beginImport(client, `${csvOf(400)}\ndevice-1,no time at all,1`);
    await expectImported(client, [id], 400);
    const data = [{ device: 'device-1', at: '2024-01-02T00:00:00', temperature: '1' }];
    expect(await client.patch('/secure/datasource/insert', { datasource_id: id, data })).toMatchObject({ status: 200 });
    expect(await putFiles(client, [{ name: 'a.txt', content: 'The pump is serviced.' }])).toMatchObject({
      status: 200,
    });
    const asked = await client.post('/secure/assistant/chat', {
      conversation_id: await aConversation(client, id),
      message: 'show a bar chart of the average temperature by device',
    });
    expect(asked.body['response']).toMatchObject({ visualization: expect.stringMatching(/\.png$/) as unknown });
    expect(await client.bytes(`/secure/datasource/export?id=${id}`)).toMatchObject({ status: 200 });
  }

  it('is for its owner alone, whatever the shell allows, and for one service at a time', async () => {
    await using service = await ServiceProcess.start({ DATA_DIR: own, ...WITH_ADMIN });
    await everyKindOfWork(await signIn(service));
    expect(await openToOthers(own)).toEqual([]);
    if (process.platform === 'linux') await expectChildrenEndFirst(service);

    const second = await ServiceProcess.startInVain({ DATA_DIR: own });
    expect(second).toMatchObject({ code: 1 });
    expect(second.stderr).toContain('another instance of the service is using the data folder');
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    expect(await service.stop()).toMatchObject({ code: 0 });
    expect(await openToOthers(own)).toEqual([]);
    expect((await readdir(own)).join('\n')).toMatch(/^jwt-secret$/m);

    const other = join(folder, 'made by the command');
    const admin = ['dist/admin.js', 'company:create', '--name', 'Acme'];
    const env = { PATH: process.env['PATH'], DATA_DIR: other, LOG_LEVEL: 'fatal' };
    await promisify(execFile)(process.execPath, admin, { env });
    expect((await readdir(other)).length).toBeGreaterThan(0);
    expect(await openToOthers(other)).toEqual([]);
  });

  it('whose documents are damaged is refused with a sentence, and left as it is', async () => {
    const path = join(own, 'documents/data.mdb');
    const damaged = await readFile(path);
    for (let flip = 0; flip < 400; flip += 1) damaged[(flip * 7919 + 13) % damaged.length]! ^= 1 + ((flip * 37) % 254);
    await writeFile(path, damaged);
    const end = await ServiceProcess.startInVain({ DATA_DIR: own });
    expect(end.code).toBe(1);
    expect(end.stderr).toMatch(/the document store \(documents\/data\.mdb\) is damaged: .+restore the data folder/);
    expect(damaged.equals(await readFile(path))).toBe(true);
  });
});

/** When there is no memory left. */
async function expectChildrenEndFirst(service: ServiceProcess): Promise<void> {
  const own = (await childProcesses()).find(({ pid }) => pid === service.pid);
  const children = await childProcesses(service.pid);
  expect(children.some(({ command }) => command.includes('engine.process'))).toBe(true);
  for (const { oomScore } of children) expect(oomScore).toBeGreaterThan(own?.oomScore ?? Infinity);
}
