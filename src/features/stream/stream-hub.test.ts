import { describe, expect, it } from 'vitest';
import type { EventStream } from '../../ports/event-stream.js';
import type { StreamEvent } from '../../ports/stream-event.js';
import { asId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import { FakeSocket } from './fake-socket.fixture.js';
import { Listener } from './listener.js';
import {
  ADA,
  BOB,
  EVE,
  NOTHING_KEPT,
  aChat,
  aDatasourceEvent,
  aSessionEnd,
  aTaskEvent,
  anAdmission,
} from './stream.fixture.js';
import { StreamHub } from './stream-hub.js';

function opened() {
  const listeners = new Set<(event: StreamEvent) => void>();
  const subscribe: EventStream['subscribe'] = (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const hub = new StreamHub({ subscribe } as EventStream);
  hub.onModuleInit();
  const publish = (event: StreamEvent): void => {
    for (const listener of listeners) listener(event);
  };
  const join = (principal: Principal): [FakeSocket, Listener] => {
    const socket = new FakeSocket();
    const listener = new Listener(socket, anAdmission({ principal }), NOTHING_KEPT);
    hub.add(listener);
    return [socket, listener];
  };
  return { publish, hub, join };
}

describe('the hub', () => {
  it('brings no chat to a user of that id in another company', () => {
    const { publish, join } = opened();
    const [stranger] = join({ ...EVE, userId: ADA.userId });
    publish(aChat(1));
    expect(stranger.sent).toEqual([]);
  });

  it('encodes an event once for all who hear it', () => {
    const { publish, join } = opened();
    const [[ada], [bob]] = [join(ADA), join(BOB)];
    publish(aDatasourceEvent());
    expect(ada.sent).toHaveLength(1);
    expect(ada.sent[0]).toBe(bob.sent[0]);
  });

  it('closes all sockets of a user whose sessions have all ended', () => {
    const { publish, join } = opened();
    const [[one], [two], [bob]] = [join(ADA), join({ ...ADA, sessionId: asId('8'.repeat(24)) }), join(BOB)];
    publish(aSessionEnd(null));
    expect([one, two, bob].map(({ closedWith }) => closedWith)).toEqual([4401, 4401, null]);
  });

  it('forgets sockets that have closed, and hears nothing after it was stopped', () => {
    const { publish, hub, join } = opened();
    const [[ada, left], [bob, listener]] = [join(ADA), join(BOB)];
    hub.remove(left);
    publish(aTaskEvent());
    expect([...hub.all()]).toEqual([listener]);
    hub.onModuleDestroy();
    publish(aTaskEvent());
    expect([ada, bob].map(({ sent }) => sent.length)).toEqual([0, 1]);
  });
});
