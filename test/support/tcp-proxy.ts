import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands between a client and a server, and can cut all that goes through it. */
export class TcpProxy implements AsyncDisposable {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private bytesLeft = Number.POSITIVE_INFINITY;
  /** First lines of the HTTP requests that went through. */
  readonly requests: string[] = [];

  private constructor(
    private readonly server: Server,
    /** The address to give to the client. */
    readonly url: string,
  ) {}

  /** To where a URL points; the proxy's has the same parts besides. */
  static async open(to: string): Promise<TcpProxy> {
    const target = new URL(to);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(to);
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
    const proxy = new TcpProxy(server, url.href);
    server.on('connection', (client) => {
      proxy.pass(client, { host: target.hostname, port: Number(target.port) });
    });
    return proxy;
  }

  /** Breaks what goes through, and lets nothing through any more. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  /** What is open now stays open, and nothing goes through it any more. */
  stall(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  /** As `stall`, when the server has sent so many bytes more; connections that are opened after it stall at once. */
  stallAfter(bytes: number): void {
    this.bytesLeft = bytes;
  }

  mend(): void {
    this.isCut = false;
    this.bytesLeft = Number.POSITIVE_INFINITY;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private pass(client: Socket, target: { host: string; port: number }): void {
    if (this.isCut) {
      client.destroy();
      return;
    }
    const server = connect(target);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
    server.on('data', ({ length }: Buffer) => {
      this.bytesLeft -= length;
      if (this.bytesLeft <= 0) this.stall();
    });
    client.on('data', (bytes: Buffer) => {
      const line = /^[A-Z]+ \S+ HTTP/.exec(bytes.toString('latin1', 0, 1000));
      if (line !== null) this.requests.push(line[0]);
    });
  }
}
