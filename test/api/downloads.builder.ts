import { readdir, readFile, readlink } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';

type What = 'export' | 'rejects';
type Query = Readonly<Record<string, string>>;

/** What a route answers, which may be a file; asked for with a body when there is one. */
export function fetched(client: TestClient, path: string, body?: object, gone?: AbortSignal): Promise<Response> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return fetch(`${client.url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${client.token ?? ''}`, ...type },
    body: body === undefined ? null : JSON.stringify(body),
    signal: gone ?? null,
  });
}

/** A download as a person makes it; `query` are the parameters beside the id. */
export async function download(
  client: TestClient,
  what: What,
  id: string,
  query: Query = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> {
  const response = await fetched(client, pathOf(what, id, query));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const pathOf = (what: What, id: string, query: Query = {}): string =>
  `/secure/datasource/${what}?${new URLSearchParams({ id, ...query }).toString()}`;

/** An export of which nothing is read but what its reader asks for. */
export function beginExport(client: TestClient, id: string, encoding = 'identity'): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${client.token ?? ''}`, 'accept-encoding': encoding };
  return new Promise((resolve, reject) => {
    get(`${client.url}/api/v1${pathOf('export', id)}`, { headers }, resolve).once('error', reject);
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
