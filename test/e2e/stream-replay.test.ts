import { expect, it } from 'vitest';
import { ADA, MESSAGE, aChat } from '../../src/features/stream/stream.fixture.js';
import { asId } from '../../src/shared/ids.js';
import type { Principal } from '../../src/shared/principal.js';
import type { ReceivedFrame, Resume, StreamClient } from '../support/stream-client.js';
import { StreamWorld } from './stream-world.js';

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, n) => n + 1);

it('a message is told whole, chunk by chunk, when streams lose 30 % of their sockets at random and resume', async () => {
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
  await Promise.all(streams.map((stream) => stream.end()));
  expect(resuming.size).toBeGreaterThan(STREAMS);
  for (const { name, frames } of streams) {
    expect(frames.map(({ data }) => data['seq'])).toEqual(upTo(LENGTH));
    const chunks = frames.slice(0, -1).map(({ data }) => data['chunk']);
    expect(chunks).toEqual(upTo(LENGTH - 1).map((seq) => `${name}:${seq}`));
  }
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
  private readonly subject: { readonly userId: Principal['userId']; readonly messageId: typeof MESSAGE };
  private readonly earlier: ReceivedFrame[] = [];
  private client: StreamClient | null = null;
  private resuming = Promise.resolve();

  constructor(
    private readonly world: StreamWorld,
    readonly name: number,
  ) {
    const text = name.toString(16);
    this.subject = { userId: asId(text.padStart(24, 'a')), messageId: asId(text.padStart(24, 'b')) };
  }

  get frames(): readonly ReceivedFrame[] {
    return [...this.earlier, ...(this.client?.frames ?? [])];
  }

  async begin(): Promise<void> {
    this.publish(1);
    await this.follow(this.subject.messageId);
  }

  publish(seq: number): void {
    this.world.events.publish(aChat(seq, { type: 'chat-chunk', chunk: `${this.name}:${seq}` }, this.subject));
  }

  async end(): Promise<void> {
    this.world.events.publish(aChat(LENGTH, { type: 'chat-error', error: 'the end' }, this.subject));
    await this.client?.hears({ event: 'chat-error' });
  }

  /** Cuts the socket without a word, keeps what had arrived, and comes back: in the message's room, the company's or another. */
  breakAndResume(chance: number): Promise<void> {
    this.resuming = this.resuming.then(async () => {
      this.client?.drop();
      this.earlier.push(...(this.client?.frames ?? []));
      const after = Number(this.earlier.at(-1)?.data['seq'] ?? 0);
      const { messageId } = this.subject;
      const room = [messageId, 'desk', ADA.companyId][Math.floor(chance * 3)] ?? messageId;
      await this.follow(room, room === messageId ? { after } : { message_id: messageId, after });
    });
    return this.resuming;
  }

  private async follow(room: string, resume: Resume = {}): Promise<void> {
    this.client = await this.world.open({ ...ADA, userId: this.subject.userId }, room, resume);
  }
}
