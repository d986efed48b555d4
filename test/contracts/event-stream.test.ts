import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { InProcessEventStream } from '../../src/adapters/embedded/in-process-event-stream.js';
import { RedisEventStream } from '../../src/adapters/redis/redis-event-stream.js';
import type { EventStream } from '../../src/ports/event-stream.js';
import type { Log } from '../../src/ports/log.js';
import type { ChatEvent, ChatHappening, DatasourceEvent, StreamEvent } from '../../src/ports/stream-event.js';
import {
  asId,
  type CompanyId,
  type ConversationId,
  type DatasourceId,
  type MessageId,
  type UserId,
} from '../../src/shared/ids.js';
import { ManualClock } from '../support/manual-clock.js';
import { anInstallation, forgetInstallation, redisServer } from '../support/redis.js';
import { TcpProxy } from '../support/tcp-proxy.js';

interface StreamUnderTest {
  readonly stream: EventStream;
  readonly clock: ManualClock;
  /** Resolves when everybody has heard everything that was published. */
  readonly settled: () => Promise<void>;
}

const OWNER = {
  companyId: asId<CompanyId>('c'),
  userId: asId<UserId>('u'),
  conversationId: asId<ConversationId>('v'),
};

function aChatEvent(message: string, seq: number, happening: ChatHappening = chunk(`${seq} `)): ChatEvent {
  return { ...happening, ...OWNER, messageId: asId<MessageId>(message), seq, at: new Date(seq) };
}

function chunk(text: string): ChatHappening {
  return { type: 'chat-chunk', chunk: text };
}

const FAILED: ChatHappening = { type: 'chat-error', error: 'broken' };

function aDatasourceEvent(rows: number): DatasourceEvent {
  const figures = { percent: null, rows, docCount: 0, rejected: 0, message: '', at: new Date(0) };
  const of = { companyId: OWNER.companyId, datasourceId: asId<DatasourceId>('d') };
  return { type: 'datasource-updated', action: 'progress', ...of, ...figures };
}

const MINUTE = 60_000;
const id = (message: string): MessageId => asId<MessageId>(message);

/** What every event stream promises. */
function eventStreamContract(start: () => Promise<StreamUnderTest>): void {
  const seqsOf = (events: readonly ChatEvent[]): readonly number[] => events.map(({ seq }) => seq);

  it('is there, and tells everybody every event, in order, also when a listener throws or publishes', async () => {
    const { stream, settled } = await start();
    await expect(stream.check()).resolves.toBeUndefined();
    const [first, second]: [StreamEvent[], StreamEvent[]] = [[], []];
    stream.subscribe((event) => {
      first.push(event);
      if (event.type === 'chat-chunk' && event.seq === 99) stream.publish(aDatasourceEvent(7));
      throw new Error('broken');
    });
    stream.subscribe((event) => second.push(event));
    const events = Array.from({ length: 100 }, (_, index) =>
      index % 10 === 0 ? aDatasourceEvent(index) : aChatEvent('m', index),
    );
    expect(() => {
      for (const event of events) stream.publish(event);
    }).not.toThrow();
    await settled();
    expect(first).toEqual([...events, aDatasourceEvent(7)]);
    expect(second).toEqual(first);
  });

  it('tells nothing to whoever has stopped listening, or came later', async () => {
    const { stream, settled } = await start();
    const [early, late]: [StreamEvent[], StreamEvent[]] = [[], []];
    const stop = stream.subscribe((event) => early.push(event));
    stream.publish(aDatasourceEvent(1));
    await settled();
    stop();
    stop();
    stream.subscribe((event) => late.push(event));
    stream.publish(aDatasourceEvent(2));
    await settled();
    expect(early).toEqual([aDatasourceEvent(1)]);
    expect(late).toEqual([aDatasourceEvent(2)]);
  });

  describe('replay', () => {
    it('gives the events of one message behind a number, as they were', async () => {
      const { stream } = await start();
      for (let seq = 1; seq <= 5; seq += 1) {
        stream.publish(aChatEvent('one', seq));
        stream.publish(aChatEvent('two', seq));
      }
      expect(await stream.replay(id('one'), 0)).toEqual([1, 2, 3, 4, 5].map((seq) => aChatEvent('one', seq)));
      expect(seqsOf(await stream.replay(id('one'), 3))).toEqual([4, 5]);
      expect(await stream.replay(id('one'), 5)).toEqual([]);
      expect(await stream.replay(id('nobody'), 0)).toEqual([]);
      expect(await stream.ownerOf(id('one'))).toEqual(OWNER);
      expect(await stream.ownerOf(id('nobody'))).toBeNull();
    });

    it('keeps a message until ten minutes after its end', async () => {
      const { stream, clock, settled } = await start();
      stream.publish(aChatEvent('one', 1));
      clock.advance(24 * 60 * MINUTE);
      expect(seqsOf(await stream.replay(id('one'), 0))).toEqual([1]);
      stream.publish(aChatEvent('one', 2, FAILED));
      await settled();
      clock.advance(10 * MINUTE - 1);
      expect(seqsOf(await stream.replay(id('one'), 0))).toEqual([1, 2]);
      clock.advance(1);
      expect(await stream.replay(id('one'), 0)).toEqual([]);
      expect(await stream.ownerOf(id('one'))).toBeNull();
    });
  });
}

describe('InProcessEventStream', () => {
  eventStreamContract(() => {
    const clock = new ManualClock();
    return Promise.resolve({ stream: new InProcessEventStream(clock), clock, settled: () => Promise.resolve() });
  });

  const KILOBYTE = 'x'.repeat(1024);
  const lengthOf = async (stream: InProcessEventStream, message: string): Promise<number> =>
    (await stream.replay(id(message), 0)).length;

  it('drops the message that ended first when it has to bound what it keeps', async () => {
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

  it('never replays a message with a gap, and tells its listeners everything all the same', async () => {
    const stream = new InProcessEventStream(new ManualClock(), 5_000);
    let heard = 0;
    stream.subscribe(() => void (heard += 1));
    for (let seq = 1; seq <= 5; seq += 1) stream.publish(aChatEvent('long', seq, chunk(KILOBYTE)));
    expect(await lengthOf(stream, 'long')).toBe(0);
    stream.publish(aChatEvent('long', 6, FAILED));
    expect(await lengthOf(stream, 'long')).toBe(0);
    stream.publish(aChatEvent('short', 1));
    expect(await lengthOf(stream, 'short')).toBe(1);
    expect(heard).toBe(7);
  });

  it('takes nothing for a part of a message that comes after its end', async () => {
    const stream = new InProcessEventStream(new ManualClock());
    stream.publish(aChatEvent('m', 1, FAILED));
    stream.publish(aChatEvent('m', 2));
    expect(await stream.replay(id('m'), 0)).toHaveLength(1);
  });
});

describe.skipIf(redisServer === undefined)('RedisEventStream', () => {
  const started: RedisEventStream[] = [];
  const proxies: TcpProxy[] = [];
  let installation = anInstallation();

  const lines: string[] = [];
  const hear = (message: string): void => void lines.push(message);
  const log: Log = { info: hear, warn: hear, error: hear };
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
      await expect.poll(() => first.length + second.length).toBe(2002);
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
      await expect.poll(() => looked.length).toBe(200);
      await Promise.all(looked);
      expect(gaps).toEqual([]);
    });

    it('that were cut off hear afterwards what they missed, and are heard', async () => {
      const proxy = await TcpProxy.open(redisServer ?? '');
      proxies.push(proxy);
      const [one, two] = [await anInstance(), await anInstance(new ManualClock(), proxy.url)];
      const [first, second] = [listenTo(one), listenTo(two)];
      one.publish(aChatEvent('a', 1));
      await expect.poll(() => second.length).toBe(1);
      proxy.cut();
      for (let seq = 2; seq <= 50; seq += 1) one.publish(aChatEvent('a', seq));
      for (let seq = 1; seq <= 50; seq += 1) two.publish(aChatEvent('b', seq));
      await one.settled();
      // Its own reach its own sockets all the same, and the messages of others can't be looked up.
      expect(second).toHaveLength(51);
      await expect(two.check()).rejects.toMatchObject({ kind: 'unavailable' });
      await expect(two.replay(id('a'), 0)).rejects.toMatchObject({ kind: 'unavailable' });
      proxy.mend();
      await expect.poll(() => first.length + second.length).toBe(200);
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
