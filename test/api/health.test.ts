import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { describe, expect, it } from 'vitest';
import { TcpProxy } from '../support/tcp-proxy.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

const ready = async (api: TestApi): Promise<unknown> => {
  const { status, body } = await api.stranger().get('/health/ready');
  return { status, objects: (body['backends'] as Record<string, string>)['objects'] };
};
const READY = { status: 200, objects: 'up' };
const AWAY = { status: 503, objects: 'down' };

describe('the service is not ready', { timeout: 60_000 }, () => {
  it('while the folder of its files is away', async () => {
    await using api = await startTestApi();
    expect(await ready(api)).toEqual(READY);
    const objects = join(api.dataDir, 'objects');
    await rename(objects, `${objects}-away`);
    expect(await ready(api)).toEqual(AWAY);
    await rename(`${objects}-away`, objects);
    expect(await ready(api)).toEqual(READY);
  });

  it('while the bucket of its files does not answer', async () => {
    const folder = await mkdtemp(join(tmpdir(), 's3-'));
    const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: folder });
    const { port } = await server.run();
    try {
      await fetch(`http://127.0.0.1:${port}/files`, { method: 'PUT' });
      await using proxy = await TcpProxy.open(`http://127.0.0.1:${port}`);
      const url = proxy.url.replace('http://', 's3+http://S3RVER:S3RVER@');
      await using api = await startTestApi({ environment: { OBJECT_STORE_URL: `${url}files` } });
      expect(await ready(api)).toEqual(READY);
      proxy.cut();
      expect(await ready(api)).toEqual(AWAY);
      proxy.mend();
      expect(await ready(api)).toEqual(READY);
    } finally {
      await server.close();
      await rm(folder, { recursive: true });
    }
  });
});
