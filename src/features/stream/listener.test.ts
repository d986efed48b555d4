import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../../ports/stream-event.js';
import { encodeFrame } from './frame.wire.js';
import { FakeSocket } from './fake-socket.fixture.js';
import { CLOSE, Listener, MessageFollower, Outbox } from './listener.js';
import { MESSAGE, NOTHING_KEPT, aChat, aDatasourceEvent, anAdmission } from './stream.fixture.js';

const KIB = 1024;

function open(fields = {}, ends = NOTHING_KEPT): { socket: FakeSocket; listener: Listener } {
  const socket = new FakeSocket();
  return { socket, listener: new Listener(socket, anAdmission(fields), ends) };
}

/** A listener that owes so much. */
function owing(mib: number): ReturnType<typeof open> {
  const opened = open();
  for (let n = 0; n < mib; n += 1) opened.listener.tell(aDatasourceEvent(), Buffer.alloc(KIB * KIB));
  return opened;
}

describe('a listener', () => {
  it('is asked to come back when the past can not be had', async () => {
    const lost: unknown[] = [];
    const { socket, listener } = open(
      { follows: new Map([[MESSAGE, 0]]) },
      { replay: () => Promise.reject(new Error('away')), lost: (error) => lost.push(error) },
    );
    await listener.catchUp();
    expect(socket.closedWith).toBe(1013);
    expect(lost).toMatchObject([{ message: 'away' }]);
  });

  it('hears nothing after it was sent away', () => {
    const { socket, listener } = open();
    listener.end(CLOSE.sessionEnded, 'session');
    expect(listener.hears(aChat(1))).toBe(false);
    listener.end(CLOSE.restart, 'restart');
    expect(socket.closedWith).toBe(4401);
  });

  it('is closed with 1013 when it owes too much and takes nothing for as many checks as there is patience', () => {
    const { socket, listener } = owing(5);
    for (let n = 0; n < 2; n += 1) listener.checkProgress(3);
    expect(socket.closedWith).toBeNull();
    listener.checkProgress(3);
    expect(socket.closedWith).toBe(1013);
    // More memory than one socket gets: no patience.
    expect(owing(33).socket.closedWith).toBe(1013);
  });

  it('may be slow as long as it makes progress, and rest on a backlog that is small', () => {
    const [slow, resting] = [owing(20), owing(3)];
    for (let n = 0; n < 12; n += 1) {
      slow.listener.checkProgress(2);
      slow.socket.takeOnce();
      resting.listener.checkProgress(2);
    }
    expect([slow, resting].map(({ socket }) => socket.closedWith)).toEqual([null, null]);
  });
});

describe('an outbox', () => {
  const filled = (count: number, kib: number): { socket: FakeSocket; outbox: Outbox; frames: readonly Buffer[] } => {
    const socket = new FakeSocket();
    const outbox = new Outbox(socket);
    const frames = Array.from({ length: count }, (_, n) => Buffer.alloc(kib * KIB, n));
    for (const frame of frames) outbox.push(frame);
    return { socket, outbox, frames };
  };

  it('hands frames on in order, no more than a window at a time, and counts all that was not taken', () => {
    const { socket, outbox, frames } = filled(10, 32);
    const left = (): readonly number[] => [outbox.backlog / KIB, outbox.progress / KIB];
    expect(socket.bufferedAmount).toBe(64 * KIB);
    expect(left()).toEqual([320, 0]);
    socket.takeOnce();
    expect(left()).toEqual([256, 64]);
    socket.drain();
    expect(left()).toEqual([0, 320]);
    expect(socket.sent.map((frame) => frames.indexOf(frame))).toEqual([...frames.keys()]);
    // One that is larger than the window, too.
    expect(filled(1, 500).socket.sent).toHaveLength(1);
  });

  it('drops what waits when it closes, and takes nothing more', () => {
    const { socket, outbox } = filled(10, 32);
    outbox.close();
    outbox.push(Buffer.alloc(KIB));
    socket.drain();
    expect(socket.sent).toHaveLength(2);
    expect(outbox.backlog).toBe(0);
  });
});

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, n) => n + 1);

/** A message's log, and a socket that follows it. The log answers when told to, with what it had when it was asked. */
class Scene {
  readonly told: number[] = [];
  readonly follower = new MessageFollower(0, {
    replay: (last) => {
      const past = this.log.filter(({ seq }) => seq > last);
      return new Promise((resolve) => {
        this.answers.push(() => {
          resolve(past);
        });
      });
    },
    send: (frame) => this.told.push((JSON.parse(frame.toString()) as { data: { seq: number } }).data.seq),
  });
  private log: readonly ChatEvent[] = [];
  private answers: (() => void)[] = [];

  /** Kept by the log, and not delivered. */
  keep(...seqs: readonly number[]): void {
    this.log = [...this.log, ...seqs.map((seq) => aChat(seq))];
  }

  /** Kept by the log, and delivered. */
  publish(seq: number): boolean {
    this.keep(seq);
    return this.live(seq);
  }

  /** Delivered, and kept nowhere. */
  live(seq: number): boolean {
    return this.follower.live(seq, encodeFrame(aChat(seq)));
  }

  /** Answers every question about the past that is open, and lets what follows from it happen. */
  async answer(): Promise<void> {
    for (const answer of this.answers.splice(0)) answer();
    await new Promise(setImmediate);
  }
}

describe('a follower', () => {
  it('goes on without frames that nobody has any more', async () => {
    const scene = new Scene();
    const done = scene.follower.catchUp();
    scene.live(7);
    scene.live(9);
    for (let n = 0; n < 5; n += 1) await scene.answer();
    await done;
    scene.live(10);
    expect(scene.told).toEqual([7, 9, 10]);
  });

  it('tells every frame once and in order, however the replay and the live frames interleave', async () => {
    // Per step: how many frames happen, how many of them are lost on the way, and whether the log answers.
    const steps = fc.array(fc.record({ frames: fc.nat(3), lost: fc.nat(2), answers: fc.boolean() }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.nat(5), steps, async (earlier, plan) => {
        const scene = new Scene();
        scene.keep(...upTo(earlier));
        let last = earlier;
        void scene.follower.catchUp();
        for (const { frames, lost, answers } of plan) {
          for (let n = 0; n < lost; n += 1) scene.keep((last += 1));
          for (let n = 0; n < frames; n += 1) if (!scene.publish((last += 1))) void scene.follower.catchUp();
          if (answers) await scene.answer();
        }
        // One more arrives, so that what was lost at the very end is noticed.
        if (!scene.publish((last += 1))) void scene.follower.catchUp();
        for (let n = 0; n < 5; n += 1) await scene.answer();
        expect(scene.told).toEqual(upTo(last));
      }),
    );
  });
});
