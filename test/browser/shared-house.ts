import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { SignIn } from './visitor.js';
import type { House } from './house.js';

const VARIABLE = 'TEST_SHARED_HOUSE';

interface Wish {
  readonly company: string;
  readonly manager: string;
}

type Granted = SignIn & { readonly url: string };

/** Runs once before all tests in a browser: one service for all files, each with companies of its own, started when the first asks. */
export default async function setup(): Promise<() => Promise<void>> {
  let house: Promise<House> | null = null;
  async function grant(request: IncomingMessage): Promise<Granted> {
    house ??= import('./house.js').then((module) => module.House.start({ PLACE_NETWORKS: '127.0.0.1' }));
    const { company, manager } = (await json(request)) as Wish;
    const { url } = await house;
    return { url, ...(await (await house).company(company, manager)) };
  }
  const server = createServer((request, response) => {
    grant(request).then(
      (granted) => response.end(JSON.stringify(granted)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  process.env[VARIABLE] = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return async () => {
    server.close();
    await (await house)?.[Symbol.asyncDispose]();
  };
}

/** A company that the shared service makes for a file of tests, and where the service is. */
export async function wish(wanted: Wish): Promise<Granted> {
  const response = await fetch(process.env[VARIABLE] ?? '', { method: 'POST', body: JSON.stringify(wanted) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Granted;
}
