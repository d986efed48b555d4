import { describe, expect, it } from 'vitest';
import { InProcessEventStream } from '../../src/adapters/embedded/in-process-event-stream.js';
import { asId, type MessageId } from '../../src/shared/ids.js';
import { ManualClock } from '../support/manual-clock.js';
import { FAILED, aChatEvent, chunk, eventStreamContract } from './event-stream.contract.js';

describe('InProcessEventStream', () => {
  eventStreamContract(() => {
    const clock = new ManualClock();
    return Promise.resolve({ stream: new InProcessEventStream(clock), clock, settled: () => Promise.resolve() });
  });

  describe('when it has to bound what it keeps', () => {
    const KILOBYTE = 'x'.repeat(1024);
    const lengthOf = async (stream: InProcessEventStream, message: string): Promise<number> =>
      (await stream.replay(asId<MessageId>(message), 0)).length;

    it('drops the message that ended first', async () => {
      const stream = new InProcessEventStream(new ManualClock(), 10_000);
      stream.publish(aChatEvent('going', 1, chunk(KILOBYTE)));
      for (const message of ['first', 'second', 'third']) {
        stream.publish(aChatEvent(message, 1, chunk(KILOBYTE)));
        stream.publish(aChatEvent(message, 2, FAILED));
      }
      stream.publish(aChatEvent('going', 2, chunk(KILOBYTE)));
      expect(await lengthOf(stream, 'first')).toBe(0);
      expect(await lengthOf(stream, 'third')).toBe(2);
      expect(await lengthOf(stream, 'going')).toBe(2);
    });

    it('never replays a message with a gap', async () => {
      const stream = new InProcessEventStream(new ManualClock(), 5_000);
      for (let seq = 1; seq <= 5; seq += 1) stream.publish(aChatEvent('long', seq, chunk(KILOBYTE)));
      expect(await lengthOf(stream, 'long')).toBe(0);
      stream.publish(aChatEvent('long', 6, FAILED));
      expect(await lengthOf(stream, 'long')).toBe(0);
      stream.publish(aChatEvent('short', 1));
      expect(await lengthOf(stream, 'short')).toBe(1);
    });

    it('still tells listeners everything', () => {
      const stream = new InProcessEventStream(new ManualClock(), 0);
      let heard = 0;
      stream.subscribe(() => void (heard += 1));
      for (let seq = 1; seq <= 20; seq += 1) stream.publish(aChatEvent('m', seq));
      expect(heard).toBe(20);
    });
  });

  it('takes nothing for a part of a message that comes after its end', async () => {
    const stream = new InProcessEventStream(new ManualClock());
    stream.publish(aChatEvent('m', 1, FAILED));
    stream.publish(aChatEvent('m', 2));
    expect(await stream.replay(asId<MessageId>('m'), 0)).toHaveLength(1);
  });
});
