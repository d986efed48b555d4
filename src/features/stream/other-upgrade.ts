import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Headers that ask for another protocol; `connection` loses only the words that name them. */
const UPGRADE_HEADERS = ['upgrade', 'http2-settings'];

export function asksForWebSocket(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Serves requests that ask for any other protocol as if they had not asked, which a server is free to do. Some clients offer
 * HTTP/2 with everything they send, and Node takes each of their requests out of HTTP once anybody listens for upgrades.
 */
export class OtherUpgrades {
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
