import { lookup } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { CustomFetch } from 'openid-client';
import { AppError } from '../../shared/app-error.js';
import { Deadline } from '../../shared/deadline.js';
import { type AddressRules, checkedRequest, PUBLIC_ADDRESSES } from '../network/checked-addresses.js';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

/** The own network too, with the names that its machines know. */
const ALL_ADDRESSES: AddressRules = { resolve: (host) => lookup(host, { all: true }), isAllowed: () => true };

type FetchOptions = Parameters<CustomFetch>[1];

/** A fetch that connects to checked addresses alone, follows no redirect, and takes neither long nor much. */
export function checkedFetch(allowsPrivate: boolean): CustomFetch {
  const rules = allowsPrivate ? ALL_ADDRESSES : PUBLIC_ADDRESSES;
  return async (address, options) => {
    using deadline = new Deadline(TIMEOUT_MS);
    const url = new URL(address);
    const signal = AbortSignal.any([deadline.signal, ...(options.signal === undefined ? [] : [options.signal])]);
    const { method, headers } = options;
    const request = { ...(await checkedRequest(url, rules, { headers, signal })), method };
    return await ask(request, url.protocol === 'https:', textOf(options.body));
  };
}

function ask(request: RequestOptions, isEncrypted: boolean, body: string | undefined): Promise<Response> {
  return new Promise((resolve, reject) => {
    const outgoing = isEncrypted ? httpsRequest(request) : httpRequest(request);
    outgoing.on('error', reject);
    outgoing.once('response', (response) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on('error', reject);
      response.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > MAX_BYTES) outgoing.destroy(new AppError('unavailable', 'the provider says too much'));
        else parts.push(part);
      });
      response.once('end', () => {
        const { statusCode: status = 502, headers: received } = response;
        const type = received['content-type'] ?? '';
        const challenge = received['www-authenticate'];
        const told = { 'content-type': type, ...(challenge === undefined ? {} : { 'www-authenticate': challenge }) };
        const content = [204, 205, 304].includes(status) ? null : Buffer.concat(parts);
        resolve(new Response(content, { status, headers: told }));
      });
    });
    outgoing.end(body);
  });
}

function textOf(body: FetchOptions['body']): string | undefined {
  if (body === null || body === undefined) return undefined;
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error('a provider is sent forms alone');
}
