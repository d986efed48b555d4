import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { RedisEventStream } from '../../src/adapters/redis/redis-event-stream.js';
import type { Log } from '../../src/ports/log.js';
import type { ChatEvent, StreamEvent } from '../../src/ports/stream-event.js';
import { asId, type MessageId } from '../../src/shared/ids.js';
import { eventually } from '../support/eventually.js';
import { ManualClock } from '../support/manual-clock.js';
import { anInstallation, forgetInstallation, redisServer } from '../support/redis.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { aChatEvent, eventStreamContract } from './event-stream.contract.js';

const id = (message: string): MessageId => asId<MessageId>(message);

describe.skipIf(redisServer === undefined)('RedisEventStream', () => {
  const started: RedisEventStream[] = [];
  const proxies: TcpProxy[] = [];
  let installation = anInstallation();

  const lines: string[] = [];
  const log: Log = {
    info: (message) => void lines.push(message),
    warn: (message) => void lines.push(message),
    error: (message) => void lines.push(message),
  };
  const anInstance = async (clock = new ManualClock(), url = redisServer ?? ''): Promise<RedisEventStream> => {
    const stream = new RedisEventStream({ url, origin: randomUUID(), installation }, clock, log);
    started.push(stream);
    stream.start();
    await stream.listening();
    return stream;
  };
  const listenTo = (stream: RedisEventStream): StreamEvent[] => {
    const heard: StreamEvent[] = [];
    stream.subscribe((event) => heard.push(event));
    return heard;
  };

  afterEach(async () => {
    await Promise.all(started.splice(0).map((stream) => stream.stop()));
    await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
    await forgetInstallation(installation);
    installation = anInstallation();
    lines.length = 0;
  });

  eventStreamContract(async () => {
    const clock = new ManualClock();
    const stream = await anInstance(clock);
    return { stream, clock, settled: () => stream.settled() };
  });

  describe('two instances', () => {
    it('hear each other, every event once and in order', async () => {
      const [one, two] = [await anInstance(), await anInstance()];
      const [first, second] = [listenTo(one), listenTo(two)];
      const events = Array.from({ length: 1000 }, (_, index) => aChatEvent('m', index + 1));
      for (const event of events) one.publish(event);
      two.publish(aChatEvent('other', 1));
      await eventually(
        () => first.length + second.length,
        (heard) => heard === 2002,
      );
      expect(second.filter((event) => 'messageId' in event && event.messageId === 'm')).toEqual(events);
      expect(first.slice(0, 1000)).toEqual(events);
    });

    it('are behind the event that was heard when they replay', async () => {
      const [one, two] = [await anInstance(), await anInstance()];
      const gaps: number[] = [];
      const looked: Promise<void>[] = [];
      two.subscribe((event) => {
        const { seq } = event as ChatEvent;
        const look = async (): Promise<void> => {
          if ((await two.replay(id('m'), 0)).length < seq) gaps.push(seq);
        };
        looked.push(look());
      });
      for (let seq = 1; seq <= 200; seq += 1) one.publish(aChatEvent('m', seq));
      await eventually(
        () => looked.length,
        (heard) => heard === 200,
      );
      await Promise.all(looked);
      expect(gaps).toEqual([]);
    });

    it('that were cut off hear afterwards what they missed, and are heard', async () => {
      const proxy = await TcpProxy.open(redisServer ?? '');
      proxies.push(proxy);
      const [one, two] = [await anInstance(), await anInstance(new ManualClock(), proxy.url)];
      const [first, second] = [listenTo(one), listenTo(two)];
      one.publish(aChatEvent('a', 1));
      await eventually(
        () => second.length,
        (heard) => heard === 1,
      );
      proxy.cut();
      for (let seq = 2; seq <= 50; seq += 1) one.publish(aChatEvent('a', seq));
      for (let seq = 1; seq <= 50; seq += 1) two.publish(aChatEvent('b', seq));
      await one.settled();
      // Its own reach its own sockets all the same, and the messages of others can't be looked up.
      expect(second).toHaveLength(51);
      await expect(two.check()).rejects.toMatchObject({ kind: 'unavailable' });
      await expect(two.replay(id('a'), 0)).rejects.toMatchObject({ kind: 'unavailable' });
      proxy.mend();
      await eventually(
        () => first.length + second.length,
        (heard) => heard === 200,
      );
      const seqsOf = (heard: readonly StreamEvent[], message: string): readonly number[] =>
        heard.flatMap((event) => ('messageId' in event && event.messageId === message ? [event.seq] : []));
      const all = Array.from({ length: 50 }, (_, index) => index + 1);
      expect(seqsOf(second, 'a')).toEqual(all);
      expect(seqsOf(first, 'b')).toEqual(all);
      await two.settled();
      expect(lines).toEqual(['events do not reach the other instances yet', 'events reach the other instances again']);
    });
  });
});
