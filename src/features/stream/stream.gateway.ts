import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import {
  WebSocketGateway,
  WebSocketServer,
  type OnGatewayConnection,
  type OnGatewayDisconnect,
} from '@nestjs/websockets';
import type { Server, WebSocket } from 'ws';
import { EventStream } from '../../ports/event-stream.js';
import { Log, warned } from '../../ports/log.js';
import { Metrics } from '../../ports/metrics.js';
import { CLOSE, Listener } from './listener.js';
import { type Admission, STREAM_PATH, UpgradeAuthenticator } from './upgrade-authenticator.js';
import { StreamHub } from './stream-hub.js';

/** How long a stop waits for the clients to answer that they leave. */
const GOODBYE_MS = 2_000;
/** How long a socket that was sent away may take to answer; it holds no more than one window of bytes meanwhile. */
const CLOSE_TIMEOUT_MS = 10_000;
/** Nothing that a client sends is read; this only bounds what it can make the service hold. */
const MAX_CLIENT_FRAME = 64 * 1024;

/** The stream's sockets, once the door has let them in. */
@WebSocketGateway({
  path: STREAM_PATH,
  maxPayload: MAX_CLIENT_FRAME,
  perMessageDeflate: false,
  closeTimeout: CLOSE_TIMEOUT_MS,
})
export class StreamGateway implements OnGatewayConnection<WebSocket>, OnGatewayDisconnect, BeforeApplicationShutdown {
  /** Not there in an application that was closed before it was initialised. */
  @WebSocketServer() private readonly server?: Server;
  private readonly listeners = new WeakMap<WebSocket, Listener>();

  constructor(
    private readonly hub: StreamHub,
    private readonly door: UpgradeAuthenticator,
    private readonly events: EventStream,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {
    metrics.watch('stream_sockets_open', () => [{ labels: {}, value: this.server?.clients.size ?? 0 }]);
  }

  handleConnection(socket: WebSocket, _request: IncomingMessage, admission: Admission): void {
    const listener = new Listener(socket, admission, {
      replay: (messageId, after) => this.events.replay(messageId, after),
      lost: warned(this.log, 'frames of a message could not be replayed'),
    });
    socket.on('pong', () => {
      listener.pong();
    });
    this.listeners.set(socket, listener);
    this.metrics.count('stream_sockets_total', {});
    // Before the past is asked for, so that nothing falls between it and what is live.
    this.hub.add(listener);
    void listener.catchUp(); // never rejects: a lost past closes the socket
  }

  handleDisconnect(socket: WebSocket): void {
    const listener = this.listeners.get(socket);
    if (listener === undefined) return;
    this.hub.remove(listener);
    this.metrics.count('stream_closed_total', { reason: listener.endedBy });
  }

  /** Sends everybody away and waits for them a little; the adapter cuts off who stays. */
  async beforeApplicationShutdown(): Promise<void> {
    this.door.close();
    const gone = [...(this.server?.clients ?? [])].map((socket) => once(socket, 'close'));
    for (const listener of this.hub.all()) listener.end(CLOSE.restart, 'restart');
    await Promise.race([Promise.allSettled(gone), setTimeout(GOODBYE_MS, null, { ref: false })]);
  }
}
