import { describe, expect, it } from 'vitest';
import { ADA, MESSAGE, aChat } from '../../src/features/stream/stream.fixture.js';
import { asId } from '../../src/shared/ids.js';
import type { Principal } from '../../src/shared/principal.js';
import type { StreamClient } from '../support/stream-client.js';
import { StreamWorld } from './stream-world.js';

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, n) => n + 1);
const seqs = ({ frames }: StreamClient): readonly unknown[] => frames.map(({ data }) => data['seq']);

describe('a late or broken socket', () => {
  it('goes on after the frame it names, in any room', async () => {
    await using world = await StreamWorld.start();
    for (const seq of upTo(5)) world.events.publish(aChat(seq));
    await using own = await world.open(ADA, MESSAGE, { after: 3 });
    await using label = await world.open(ADA, 'desk', { message_id: MESSAGE, after: 3 });
    await using company = await world.open(ADA, ADA.companyId, { message_id: MESSAGE, after: 3 });
    await using all = await world.open(ADA, 'desk', { message_id: MESSAGE });
    world.events.publish(aChat(6));
    await Promise.all([own, label, company, all].map((client) => client.hears({ data: { seq: 6 } })));

    expect([own, label, company].map(seqs)).toEqual(Array(3).fill([4, 5, 6]));
    expect(seqs(all)).toEqual(upTo(6));
  });

  it('is told a message whole, chunk by chunk, when streams lose 30 % of their sockets at random and resume', async () => {
    await using world = await StreamWorld.start();
    const chance = seededChance(7);
    const streams = upTo(STREAMS).map((n) => new Stream(world, n));
    await Promise.all(streams.map((stream) => stream.begin()));

    const resuming = new Set<Promise<void>>();
    for (let seq = 2; seq < LENGTH; seq += 1) {
      for (const stream of streams) stream.publish(seq);
      // Ten rounds, each of which drops 3 of 10 sockets at some moment between two frames.
      for (const stream of streams) if (chance() < (10 * 0.3) / LENGTH) resuming.add(stream.breakAndResume(chance()));
      await new Promise(setImmediate);
    }
    await Promise.all(resuming);
    for (const stream of streams) stream.end();
    await Promise.all(streams.map((stream) => stream.told()));

    expect(resuming.size).toBeGreaterThan(STREAMS);
    for (const stream of streams) {
      expect(stream.seqs()).toEqual(upTo(LENGTH));
      expect(stream.text()).toBe(
        upTo(LENGTH - 1)
          .map((seq) => `${stream.name}:${seq} `)
          .join(''),
      );
    }
  });
});

const STREAMS = process.env['TEST_LONG'] === '1' ? 50 : 20;
const LENGTH = 100;

/** The same numbers from 0 to 1 in every run. */
function seededChance(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** One user who follows one message over a socket that breaks, and keeps what arrived. */
class Stream {
  readonly name: string;
  private readonly principal: Principal;
  private readonly subject: { readonly userId: Principal['userId']; readonly messageId: typeof MESSAGE };
  private readonly earlier: StreamClient['frames'] = [];
  private client: StreamClient | null = null;
  private resuming = Promise.resolve();

  constructor(
    private readonly world: StreamWorld,
    n: number,
  ) {
    this.name = `stream ${n}`;
    this.subject = {
      userId: asId(n.toString(16).padStart(24, 'a')),
      messageId: asId(n.toString(16).padStart(24, 'b')),
    };
    this.principal = { ...ADA, userId: this.subject.userId };
  }

  async begin(): Promise<void> {
    this.publish(1);
    this.client = await this.world.open(this.principal, this.subject.messageId);
  }

  publish(seq: number): void {
    this.world.events.publish(aChat(seq, { type: 'chat-chunk', chunk: `${this.name}:${seq} ` }, this.subject));
  }

  end(): void {
    this.world.events.publish(aChat(LENGTH, { type: 'chat-error', error: 'the end' }, this.subject));
  }

  /** Cuts the socket without a word, keeps what had arrived, and comes back: in the message's room or in another. */
  breakAndResume(chance: number): Promise<void> {
    this.resuming = this.resuming.then(async () => {
      this.client?.drop();
      this.earlier.push(...(this.client?.frames ?? []));
      const after = Number(this.earlier.at(-1)?.data['seq'] ?? 0);
      const { messageId } = this.subject;
      this.client =
        chance < 0.5
          ? await this.world.open(this.principal, messageId, { after })
          : await this.world.open(this.principal, 'desk', { message_id: messageId, after });
    });
    return this.resuming;
  }

  async told(): Promise<void> {
    await this.client?.hears({ event: 'chat-error' });
  }

  seqs(): readonly unknown[] {
    return this.frames().map(({ data }) => data['seq']);
  }

  text(): string {
    return this.frames()
      .map(({ data }) => (typeof data['chunk'] === 'string' ? data['chunk'] : ''))
      .join('');
  }

  private frames(): StreamClient['frames'] {
    return [...this.earlier, ...(this.client?.frames ?? [])];
  }
}
