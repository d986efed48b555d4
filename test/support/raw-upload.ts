import { connect, type Socket } from 'node:net';
import type { TestClient } from './test-client.js';

const BOUNDARY = 'xxBOUNDARYxx';

export interface RawUploadOptions {
  /** How long the body is said to be; by default as long as it is. `null`: it is sent in chunks of unknown number. */
  readonly announced?: number | null;
  readonly name?: string;
}

/** An upload over a socket of its own, which can stop, or break, anywhere. */
export class RawUpload {
  readonly socket: Socket;
  /** The whole answer, head and all, when the connection has ended. */
  readonly answer: Promise<string>;
  private readonly body: Buffer;
  private readonly inChunks: boolean;

  constructor(client: TestClient, content: string | Uint8Array, { announced, name = 'a.csv' }: RawUploadOptions = {}) {
    this.body = formOf(content, name);
    this.inChunks = announced === null;
    const length = this.inChunks ? 'transfer-encoding: chunked' : `content-length: ${announced ?? this.body.length}`;
    this.socket = connect(Number(new URL(client.url).port), '127.0.0.1');
    let text = '';
    this.socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    // Whoever breaks it off on purpose may hear of it.
    this.socket.on('error', () => undefined);
    this.answer = new Promise((resolve) => {
      this.socket.once('close', () => {
        resolve(text);
      });
    });
    this.socket.write(
      [
        'POST /api/v1/secure/datasource/upload HTTP/1.1',
        'host: x',
        'connection: close',
        `authorization: Bearer ${String(client.token)}`,
        `content-type: multipart/form-data; boundary=${BOUNDARY}`,
        `${length}\r\n\r\n`,
      ].join('\r\n'),
    );
  }

  get length(): number {
    return this.body.length;
  }

  /** Resolves when these bytes of the body have left. */
  send(from = 0, to = this.body.length): Promise<void> {
    const part = this.body.subarray(from, to);
    const isEnd = this.inChunks && to >= this.body.length;
    const framed = this.inChunks && part.length > 0 ? chunkOf(part) : part;
    return new Promise((resolve) => {
      this.socket.write(isEnd ? Buffer.concat([framed, Buffer.from('0\r\n\r\n')]) : framed, () => {
        resolve();
      });
    });
  }

  /** Breaks the connection, with a reset when it is told so. */
  async cut(withReset = false): Promise<void> {
    if (withReset) this.socket.resetAndDestroy();
    else this.socket.destroy();
    await this.answer;
  }
}

/** The status of a raw answer; 0: there was none. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}

function formOf(content: string | Uint8Array, name: string): Buffer {
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: text/csv\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

function chunkOf(part: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
}
