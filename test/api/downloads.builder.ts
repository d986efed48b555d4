import { readdir, readFile, readlink } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';

export interface Downloaded {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A download as a person makes it; `query` are the parameters beside the id. */
export async function download(
  client: TestClient,
  what: 'export' | 'rejects',
  id: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Downloaded> {
  const response = await fetch(addressOf(client, what, id, query), {
    headers: { authorization: `Bearer ${client.token ?? ''}` },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

export function addressOf(
  client: TestClient,
  what: 'export' | 'rejects',
  id: string,
  query: Readonly<Record<string, string>> = {},
): string {
  return `${client.url}/api/v1/secure/datasource/${what}?${new URLSearchParams({ id, ...query }).toString()}`;
}

/** An export of which nothing is read but what its reader asks for. */
export function beginExport(client: TestClient, id: string, encoding = 'identity'): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${client.token ?? ''}`, 'accept-encoding': encoding };
  return new Promise((resolve, reject) => {
    get(addressOf(client, 'export', id), { headers }, resolve).once('error', reject);
  });
}

/** Names and ids of the processes that work on exports of the service. */
export async function exportProcesses({ dataDir }: TestApi): Promise<readonly (readonly [string, number])[]> {
  const found: (readonly [string, number])[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    if (!cwd.startsWith(join(dataDir, 'exports'))) continue;
    found.push([(await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim(), Number(pid)]);
  }
  return found;
}
