import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { failed } from '../../http/envelope.js';
import type { Failure } from '../../http/failure.js';

/** Answers an upgrade that does not become a socket, with the envelope of every other failure, and hangs up. */
export function refuse(socket: Duplex, requestId: string, failure: Failure): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(failed(failure.message, failure.details));
  const headers = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status] ?? 'Error'}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    `x-request-id: ${requestId}`,
    ...(failure.retryAfter === null ? [] : [`retry-after: ${Math.ceil(failure.retryAfter)}`]),
  ];
  // The other side may keep its half open for ever.
  socket.once('finish', () => socket.destroy());
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
}
