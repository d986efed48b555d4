import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../../ports/stream-event.js';
import { encodeFrame } from './frame.wire.js';
import { MessageFollower } from './listener.js';
import { aChat } from './stream.fixture.js';

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, n) => n + 1);

/** A message's log, and a socket that follows it. The log answers when told to, with what it had when it was asked. */
class Scene {
  readonly told: number[] = [];
  readonly follower: MessageFollower;
  private log: readonly ChatEvent[] = [];
  private answers: (() => void)[] = [];

  constructor() {
    this.follower = new MessageFollower(0, {
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
  }

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
    const open = this.answers;
    this.answers = [];
    open.forEach((answer) => {
      answer();
    });
    await new Promise(setImmediate);
  }
}

describe('a follower', () => {
  it('asks for what is missing when a live frame skips some', async () => {
    const scene = new Scene();
    const first = scene.follower.catchUp();
    await scene.answer();
    await first;
    scene.publish(1);
    scene.keep(2, 3);

    expect(scene.publish(4)).toBe(false);
    const second = scene.follower.catchUp();
    expect(scene.publish(5)).toBe(true);
    await scene.answer();
    await second;
    expect(scene.told).toEqual(upTo(5));
  });

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
