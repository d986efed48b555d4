import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import { AppError, messageOf } from '../../shared/app-error.js';
import { hostOf, isLiteralAddress, isPublicAddress } from '../../shared/public-address.js';
import { untilAborted } from '../../shared/until-aborted.js';

export interface AddressRules {
  /** Finds the addresses of a name. */
  readonly resolve: (host: string) => Promise<readonly LookupAddress[]>;
  readonly isAllowed: (address: string) => boolean;
}

export const PUBLIC_ADDRESSES: AddressRules = { resolve: (host) => askNameServers(host), isAllowed: isPublicAddress };

/**
 * Asks the name servers themselves. The system's look-up would occupy one of the few threads that files are read with, for as long as somebody's slow name
 * server likes, and it knows names of the own network.
 */
export async function askNameServers(host: string, servers: readonly string[] = []): Promise<readonly LookupAddress[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
  return [...found(four, 4), ...found(six, 6)];
}

function found(result: PromiseSettledResult<readonly string[]>, family: number): LookupAddress[] {
  return result.status === 'rejected' ? [] : result.value.map((address) => ({ address, family }));
}

/**
 * The addresses of a host, every one of them checked: one that is not allowed condemns the name, since whoever owns it may hope that we try them in turn.
 *
 * @throws AppError `invalid_input` for an address that is not allowed, `unavailable` when the name can't be found now.
 */
export async function checkedAddresses(
  host: string,
  { resolve, isAllowed }: AddressRules,
  who: 'receiver' | 'place' = 'receiver',
): Promise<readonly LookupAddress[]> {
  const candidates = isLiteralAddress(host)
    ? [{ address: host, family: host.includes(':') ? 6 : 4 }]
    : await resolve(host).catch((error: unknown) => {
        const problem = `the name of the ${who} can't be found: ${messageOf(error)}`;
        throw new AppError('unavailable', problem, { cause: error });
      });
  if (candidates.length === 0) throw new AppError('unavailable', `the name of the ${who} has no address`);
  if (!candidates.every(({ address }) => isAllowed(address))) {
    throw new AppError('invalid_input', `the ${who} is not on the public internet`);
  }
  return candidates;
}

/** A resolver that knows these addresses alone, for a connection that must go nowhere else: asking again could bring another answer. */
export function onlyThese(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, answer) => {
    const [first] = addresses;
    if (all === true) answer(null, [...addresses]);
    else if (first === undefined) answer(new Error('there is no address'), '');
    else answer(null, first.address, first.family);
  };
}

/** How Node asks an address over a connection of its own, which is closed after the answer. */
export function requestTo(url: URL, lookup: LookupFunction, headers: Readonly<Record<string, string>>): RequestOptions {
  const host = hostOf(url);
  return {
    protocol: url.protocol,
    host,
    // Node wants a name here, and never an address.
    ...(isLiteralAddress(host) ? {} : { servername: host }),
    port: url.port === '' ? undefined : Number(url.port),
    path: url.pathname + url.search,
    headers: { ...headers, host: url.host },
    lookup,
    agent: false,
  };
}

/**
 * How Node asks an address that is checked now.
 *
 * @throws AppError as `checkedAddresses` does; the reason of the signal.
 */
export async function checkedRequest(
  url: URL,
  rules: AddressRules,
  { headers, signal }: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<RequestOptions> {
  // A look-up can't be aborted, only left alone.
  const addresses = await untilAborted(checkedAddresses(hostOf(url), rules), signal);
  return { ...requestTo(url, onlyThese(addresses), headers), signal };
}

/** The head of the answer; its body is still to be read. @throws what Node says of a connection that failed. */
export function answerTo(options: RequestOptions, body?: string | Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = options.protocol === 'http:' ? httpRequest(options) : httpsRequest(options);
    outgoing.on('error', reject);
    outgoing.once('response', resolve);
    // Without a listener Node neither answers nor ends a request whose receiver wants to speak something else.
    outgoing.once('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response.destroy());
    });
    outgoing.end(body);
  });
}

/** The body of an answer. One of more bytes ends the connection. @throws AppError `unavailable` then; what Node says of an answer that broke off. */
export async function bodyOf(answer: AsyncIterable<Buffer>, mostBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer) {
    bytes += part.length;
    if (bytes > mostBytes) throw new AppError('unavailable', 'the receiver says too much');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
