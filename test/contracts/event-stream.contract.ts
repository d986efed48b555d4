import { describe, expect, it } from 'vitest';
import type { EventStream } from '../../src/ports/event-stream.js';
import type { ChatEvent, ChatHappening, DatasourceEvent, StreamEvent } from '../../src/ports/stream-event.js';
import {
  asId,
  type CompanyId,
  type ConversationId,
  type DatasourceId,
  type MessageId,
  type UserId,
} from '../../src/shared/ids.js';
import type { ManualClock } from '../support/manual-clock.js';

export interface StreamUnderTest {
  readonly stream: EventStream;
  readonly clock: ManualClock;
  /** Resolves when everybody has heard everything that was published. */
  readonly settled: () => Promise<void>;
}

export const OWNER = {
  companyId: asId<CompanyId>('c'),
  userId: asId<UserId>('u'),
  conversationId: asId<ConversationId>('v'),
};

export function aChatEvent(message: string, seq: number, happening: ChatHappening = chunk(`${seq} `)): ChatEvent {
  return { ...happening, ...OWNER, messageId: asId<MessageId>(message), seq, at: new Date(seq) };
}

export function chunk(text: string): ChatHappening {
  return { type: 'chat-chunk', chunk: text };
}

export const FAILED: ChatHappening = { type: 'chat-error', error: 'broken' };

function aDatasourceEvent(rows: number): DatasourceEvent {
  return {
    type: 'datasource-updated',
    companyId: OWNER.companyId,
    datasourceId: asId<DatasourceId>('d'),
    action: 'progress',
    percent: null,
    rows,
    docCount: 0,
    rejected: 0,
    message: '',
    at: new Date(0),
  };
}

const MINUTE = 60_000;

/** What every event stream promises. */
export function eventStreamContract(start: () => Promise<StreamUnderTest>): void {
  const id = (message: string): MessageId => asId<MessageId>(message);
  const seqsOf = (events: readonly ChatEvent[]): readonly number[] => events.map(({ seq }) => seq);

  it('is there', async () => {
    const { stream } = await start();
    await expect(stream.check()).resolves.toBeUndefined();
  });

  it('tells everybody every event, in order', async () => {
    const { stream, settled } = await start();
    const [first, second]: [StreamEvent[], StreamEvent[]] = [[], []];
    stream.subscribe((event) => first.push(event));
    stream.subscribe((event) => second.push(event));
    const events = Array.from({ length: 100 }, (_, index) =>
      index % 10 === 0 ? aDatasourceEvent(index) : aChatEvent('m', index),
    );
    for (const event of events) stream.publish(event);
    await settled();
    expect(first).toEqual(events);
    expect(second).toEqual(events);
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

  it('lets a listener that throws harm nobody', async () => {
    const { stream, settled } = await start();
    const heard: StreamEvent[] = [];
    stream.subscribe(() => {
      throw new Error('broken');
    });
    stream.subscribe((event) => heard.push(event));
    expect(() => {
      stream.publish(aDatasourceEvent(1));
      stream.publish(aDatasourceEvent(2));
    }).not.toThrow();
    await settled();
    expect(heard).toHaveLength(2);
  });

  it('keeps the order when a listener publishes', async () => {
    const { stream, settled } = await start();
    const heard: unknown[] = [];
    stream.subscribe((event) => {
      if (event.type === 'chat-chunk' && event.seq === 1) stream.publish(aDatasourceEvent(7));
    });
    stream.subscribe((event) => heard.push(event.type));
    stream.publish(aChatEvent('m', 1));
    await settled();
    expect(heard).toEqual(['chat-chunk', 'datasource-updated']);
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
