import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const IPV4 = 1;

/** A real name server, for names that a test makes up. Of names of version 6 it knows none. */
export class NameServer implements AsyncDisposable {
  /** The names that were asked for. */
  readonly asked: string[] = [];

  private constructor(
    private readonly socket: Socket,
    private readonly addressOf: (name: string, time: number) => string,
  ) {}

  /** `addressOf` is told how often the name was asked for before. */
  static async start(addressOf: (name: string, time: number) => string): Promise<NameServer> {
    const socket = createSocket('udp4');
    const server = new NameServer(socket, addressOf);
    socket.on('message', (message, { port, address }) => {
      socket.send(server.answerTo(message), port, address);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return server;
  }

  /** As a resolver is told of it. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  private answerTo(question: Buffer): Buffer {
    const labels: string[] = [];
    let at = 12;
    for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
      labels.push(question.toString('ascii', at + 1, at + 1 + length));
      at += length + 1;
    }
    const isAsked = question.readUInt16BE(at + 1) === IPV4;
    const end = at + 5;
    const answer = Buffer.alloc(isAsked ? 16 : 0);
    if (isAsked) {
      const name = labels.join('.');
      const address = this.addressOf(name, this.asked.filter((each) => each === name).length);
      this.asked.push(name);
      // The name as in the question, an address, of the internet, for no time, of four bytes.
      answer.set([0xc0, 12, 0, IPV4, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
    }
    const head = Buffer.from(question.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(isAsked ? 1 : 0, 6);
    head.writeUInt32BE(0, 8);
    return Buffer.concat([head, question.subarray(12, end), answer]);
  }
}
