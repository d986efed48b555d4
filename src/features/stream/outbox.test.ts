import { describe, expect, it } from 'vitest';
import { FakeSocket } from './fake-socket.fixture.js';
import { Outbox } from './listener.js';

const KIB = 1024;
const frame = (kib: number, fill = 0): Buffer => Buffer.alloc(kib * KIB, fill);

describe('an outbox', () => {
  it('hands frames on in order, as they are', () => {
    const socket = new FakeSocket();
    const outbox = new Outbox(socket);
    const frames = Array.from({ length: 100 }, (_, n) => frame(8, n));
    frames.forEach((one) => {
      outbox.push(one);
    });
    socket.drain();

    expect(socket.sent.every((sent, n) => sent === frames[n])).toBe(true);
    expect(socket.sent).toHaveLength(100);
  });

  it('hands the network no more than a window at a time, and counts all that was not taken', () => {
    const socket = new FakeSocket();
    const outbox = new Outbox(socket);
    for (let n = 0; n < 10; n += 1) outbox.push(frame(32));

    expect(socket.bufferedAmount).toBe(64 * KIB);
    expect(outbox.backlog).toBe(320 * KIB);
    expect(outbox.progress).toBe(0);

    socket.takeOnce();
    expect(outbox.backlog).toBe(256 * KIB);
    expect(outbox.progress).toBe(64 * KIB);

    socket.drain();
    expect(outbox.backlog).toBe(0);
    expect(outbox.progress).toBe(320 * KIB);
  });

  it('hands on a frame that is larger than the window', () => {
    const socket = new FakeSocket();
    new Outbox(socket).push(frame(500));
    expect(socket.sent).toHaveLength(1);
  });

  it('drops what waits when it closes, and takes nothing more', () => {
    const socket = new FakeSocket();
    const outbox = new Outbox(socket);
    for (let n = 0; n < 10; n += 1) outbox.push(frame(32));
    outbox.close();
    outbox.push(frame(1));
    socket.drain();

    expect(socket.sent).toHaveLength(2);
    expect(outbox.backlog).toBe(0);
  });
});
