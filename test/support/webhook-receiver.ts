import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { HttpsWebhookSender, type SenderOptions } from '../../src/adapters/webhooks/https-webhook-sender.js';
import { throwAwayCertificate, type ThrowAwayCertificate } from './throw-away-certificate.js';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** The name that the receiver's certificate is for. */
export const RECEIVER = 'receiver.example';

/** A real HTTPS server that keeps what it is sent. */
export class WebhookReceiver implements AsyncDisposable {
  readonly received: Received[] = [];
  /** Sockets that are open now. */
  readonly sockets = new Set<Socket>();
  /** Server names that clients asked for. */
  readonly names: string[] = [];
  answer: Answer = (response) => response.writeHead(204).end();

  private constructor(
    private readonly server: Server,
    readonly certificate: ThrowAwayCertificate,
  ) {}

  static async start(...names: readonly string[]): Promise<WebhookReceiver> {
    const certificate = throwAwayCertificate(...(names.length === 0 ? [RECEIVER] : names));
    const server = createServer({ cert: certificate.cert, key: certificate.key });
    const receiver = new WebhookReceiver(server, certificate);
    server.on('request', (request, response) => void receiver.take(request, response));
    server.on('secureConnection', (socket) => receiver.names.push(String(socket.servername)));
    server.on('connection', (socket: Socket) => {
      receiver.sockets.add(socket);
      socket.once('close', () => receiver.sockets.delete(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `https://${RECEIVER}:${this.port}/hooks?from=das`;
  }

  /** The real sender, but for what it trusts: this certificate, and this machine. */
  sender(options: SenderOptions = {}): HttpsWebhookSender {
    const addresses = { resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]), isAllowed: () => true };
    return new HttpsWebhookSender({ addresses, ca: this.certificate.cert, ...options });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.received.push({
      method: String(request.method),
      path: String(request.url),
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    });
    this.answer(response, request);
  }
}
