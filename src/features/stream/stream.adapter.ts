import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';
import type { INestApplication } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import { WebSocketServer, type ServerOptions } from 'ws';
import { failureOf } from '../../http/failure.js';
import { requestId } from '../../http/server.js';
import { Log } from '../../ports/log.js';
import { AppError } from '../../shared/app-error.js';
import { asksForWebSocket, OtherUpgrades } from './other-upgrade.js';
import { refuse } from './refusal.js';
import { STREAM_PATH } from './stream-address.js';
import { UpgradeAuthenticator } from './upgrade-authenticator.js';

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
      const admission = await inTime(this.door.admit(request.url ?? '', socket));
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

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new AppError('unavailable', 'service unavailable'));
    }, ADMISSION_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
