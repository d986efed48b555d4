import { describe, expect, it } from 'vitest';
import { EventStream } from '../../ports/event-stream.js';
import type { StreamEvent } from '../../ports/stream-event.js';
import { asId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import { FakeSocket } from './fake-socket.fixture.js';
import { Listener } from './listener.js';
import {
  ADA,
  BOB,
  EVE,
  aChat,
  aDatasourceEvent,
  aSessionEnd,
  aSuggestionsEvent,
  aTaskEvent,
  anAdmission,
} from './stream.fixture.js';
import { StreamHub } from './stream-hub.js';

/** Publishes at once and keeps nothing. */
class LiveEvents extends EventStream {
  private readonly listeners = new Set<(event: StreamEvent) => void>();

  override publish(event: StreamEvent): void {
    this.listeners.forEach((listener) => {
      listener(event);
    });
  }
  override subscribe(listener: (event: StreamEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  override replay(): Promise<[]> {
    return Promise.resolve([]);
  }
  override ownerOf(): Promise<null> {
    return Promise.resolve(null);
  }
  override check(): Promise<void> {
    return Promise.resolve();
  }
}

function opened(): { events: LiveEvents; hub: StreamHub; join: (principal: Principal) => [FakeSocket, Listener] } {
  const events = new LiveEvents();
  const hub = new StreamHub(events);
  hub.onModuleInit();
  const join = (principal: Principal): [FakeSocket, Listener] => {
    const socket = new FakeSocket();
    const listener = new Listener(socket, anAdmission({ principal }), {
      replay: () => Promise.resolve([]),
      lost: () => undefined,
    });
    hub.add(listener);
    return [socket, listener];
  };
  return { events, hub, join };
}

describe('the hub', () => {
  it('brings suggestions to their user alone, and what a task does to its company', () => {
    const { events, join } = opened();
    const [[one], [bob], [eve]] = [join(ADA), join(BOB), join(EVE)];
    events.publish(aSuggestionsEvent());
    expect([one, bob, eve].map(({ sent }) => sent.length)).toEqual([1, 0, 0]);
    events.publish(aTaskEvent());
    expect([one, bob, eve].map(({ sent }) => sent.length)).toEqual([2, 1, 0]);
  });

  it('brings no chat to a user of that id in another company', () => {
    const { events, join } = opened();
    const [stranger] = join({ ...EVE, userId: ADA.userId });
    events.publish(aChat(1));

    expect(stranger.sent).toEqual([]);
  });

  it('encodes an event once for all who hear it', () => {
    const { events, join } = opened();
    const [[ada], [bob]] = [join(ADA), join(BOB)];
    events.publish(aDatasourceEvent());

    expect(ada.sent[0]).toBe(bob.sent[0]);
  });

  it('closes all sockets of a user whose sessions have all ended', () => {
    const { events, join } = opened();
    const [[one], [two], [bob]] = [join(ADA), join({ ...ADA, sessionId: asId('8'.repeat(24)) }), join(BOB)];
    events.publish(aSessionEnd(null));

    expect([one, two, bob].map(({ closedWith }) => closedWith)).toEqual([4401, 4401, null]);
  });

  it('forgets sockets that have closed', () => {
    const { events, hub, join } = opened();
    const [socket, listener] = join(ADA);
    const [, bob] = join(BOB);
    hub.remove(listener);
    events.publish(aChat(1));

    expect(socket.sent).toEqual([]);
    expect([...hub.all()]).toEqual([bob]);
  });

  it('hears nothing after it was stopped', () => {
    const { events, hub, join } = opened();
    const [socket] = join(ADA);
    hub.onModuleDestroy();
    events.publish(aChat(1));

    expect(socket.sent).toEqual([]);
  });
});
