import { type IncomingMessage, type Server as HttpServer, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { INestApplication } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import { WebSocketServer, type ServerOptions } from 'ws';
import { failureOf, type Failure } from '../../http/failure.js';
import { requestId } from '../../http/server.js';
import { Log } from '../../ports/log.js';
import { AppError } from '../../shared/app-error.js';
import { within } from '../../shared/within.js';
import { STREAM_PATH, UpgradeAuthenticator } from './upgrade-authenticator.js';
import { failed } from '../../http/envelope.wire.js';

/** A store that hangs must not keep connections that are neither open nor refused. */
const ADMISSION_MS = 10_000;

/** Gives the application its sockets. Called before it listens. */
export function useStream(app: INestApplication<HttpServer>): void {
  app.useWebSocketAdapter(new StreamAdapter(app.getHttpServer(), app.get(UpgradeAuthenticator), app.get(Log)));
}

/**
 * Nest's adapter for `ws` knows fixed paths and asks nobody before the 101. This one asks the door about every upgrade, and
 * answers those that it refuses like any other request. Upgrades pass neither the framework's hooks nor its log.
 */
export class StreamAdapter extends WsAdapter {
  private readonly undecided = new Set<Duplex>();
  private readonly requestIds = new WeakMap<IncomingMessage, string>();
  private stopListening: (() => void) | null = null;

  constructor(
    private readonly server: HttpServer,
    private readonly door: UpgradeAuthenticator,
    private readonly log: Log,
  ) {
    super(server);
  }

  override create(_port: number, { path: _pattern, ...options }: ServerOptions = {}): WebSocketServer {
    const sockets = new WebSocketServer({ ...options, noServer: true });
    sockets.on('connection', (socket) => {
      // What a client breaks closes its own socket, with the right code; it is no error of the service.
      socket.on('error', () => undefined);
    });
    sockets.on('headers', (headers, request) => headers.push(`x-request-id: ${this.idOf(request)}`));
    sockets.on('wsClientError', (error, socket, request) => {
      this.refuse(request, socket, new AppError('invalid_input', `not a WebSocket handshake: ${error.message}`));
    });
    const others = new OtherUpgrades(this.server);
    const listener = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
      if (!asksForWebSocket(request)) others.serve(request, socket, head);
      else void this.upgrade(sockets, request, socket, head); // never rejects: every failure is an answer
    };
    this.server.on('upgrade', listener);
    this.stopListening = () => {
      this.server.off('upgrade', listener);
      others.stop();
    };
    return sockets;
  }

  /** Frames from clients are ignored: they are not even parsed. */
  override bindMessageHandlers(): void {
    return;
  }

  override async dispose(): Promise<void> {
    this.stopListening?.();
    for (const socket of this.undecided) socket.destroy();
    await super.dispose();
  }

  private async upgrade(
    sockets: WebSocketServer,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<void> {
    // First of all: Node has taken its own listener off, and an unheard reset would end the process.
    socket.on('error', () => undefined);
    this.undecided.add(socket);
    try {
      const admission = await within(this.door.admit(request.url ?? '', socket), ADMISSION_MS, tooLate);
      if (socket.destroyed) return;
      sockets.handleUpgrade(request, socket, head, (client) => {
        sockets.emit('connection', client, request, admission);
        this.logLine(request, 101, admission.principal.userId);
      });
    } catch (error) {
      this.refuse(request, socket, error);
    } finally {
      this.undecided.delete(socket);
    }
  }

  private refuse(request: IncomingMessage, socket: Duplex, error: unknown): void {
    const failure = failureOf(error);
    if (failure.status >= 500) this.log.error(failure.message, { reqId: this.idOf(request), err: error });
    this.logLine(request, failure.status);
    refuse(socket, this.idOf(request), failure);
  }

  private idOf(request: IncomingMessage): string {
    const id = this.requestIds.get(request) ?? requestId(request);
    this.requestIds.set(request, id);
    return id;
  }

  /** With the route's pattern: the address holds the token. */
  private logLine(request: IncomingMessage, status: number, user?: string): void {
    this.log.info('request', { reqId: this.idOf(request), method: request.method, route: STREAM_PATH, status, user });
  }
}

function tooLate(): never {
  throw new AppError('unavailable', 'service unavailable');
}

/** Headers that ask for another protocol; `connection` loses only the words that name them. */
const UPGRADE_HEADERS = ['upgrade', 'http2-settings'];

function asksForWebSocket(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Serves requests that ask for any other protocol as if they had not asked, which a server is free to do. Some clients offer
 * HTTP/2 with everything they send, and Node takes each of their requests out of HTTP once anybody listens for upgrades.
 */
class OtherUpgrades {
  private readonly unanswered = new WeakMap<Duplex, number>();
  private readonly count = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    this.unanswered.set(socket, (this.unanswered.get(socket) ?? 0) + 1);
    response.once('close', () => this.unanswered.set(socket, (this.unanswered.get(socket) ?? 0) - 1));
  };

  constructor(private readonly server: HttpServer) {
    server.on('request', this.count);
  }

  stop(): void {
    this.server.off('request', this.count);
  }

  serve(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Sent behind a request that waits for its answer: two readers of one connection would mix up the answers.
    if ((this.unanswered.get(socket) ?? 0) > 0) {
      socket.destroy();
      return;
    }
    const start = `${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/${request.httpVersion}`;
    const lines = [start, ...headerLines(request.rawHeaders)];
    // Back to where it came from: the server reads it again as the first request of a new connection.
    socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
    this.server.emit('connection', socket);
  }
}

/** `rawHeaders` has names and values in turn, in latin1, and none of them has a line break: a parser has read them. */
function headerLines(raw: readonly string[]): readonly string[] {
  return raw.flatMap((name, n) => {
    const value = raw[n + 1];
    if (n % 2 === 1 || value === undefined || UPGRADE_HEADERS.includes(name.toLowerCase())) return [];
    return [`${name}: ${name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value}`];
  });
}

function withoutUpgrade(connection: string): string {
  const words = connection.split(',').map((word) => word.trim());
  return words.filter((word) => !UPGRADE_HEADERS.includes(word.toLowerCase())).join(', ');
}

/** Answers an upgrade that does not become a socket, with the envelope of every other failure, and hangs up. */
function refuse(socket: Duplex, requestId: string, failure: Failure): void {
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
