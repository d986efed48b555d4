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
  SESSIONS_END,
  TASK_EVENT,
  anAdmission,
} from './stream.fixture.js';
import { StreamHub } from './stream-hub.js';

const listeners = new Set<(event: StreamEvent) => void>();
const publish = (event: StreamEvent): void => {
  for (const listener of listeners) listener(event);
};

function opened() {
  const subscribe: EventStream['subscribe'] = (listener) => (listeners.add(listener), () => listeners.delete(listener));
  const hub = new StreamHub({ subscribe } as EventStream);
  hub.onModuleInit();
  const join = (principal: Principal): [FakeSocket, Listener] => {
    const socket = new FakeSocket();
    const listener = new Listener(socket, anAdmission({ principal }), NOTHING_KEPT);
    hub.add(listener);
    return [socket, listener];
  };
  return { hub, join };
}

describe('the hub', () => {
  it('encodes an event once for all who hear it, and brings no chat to a user of that id in another company', () => {
    const { join } = opened();
    const [[ada], [bob], [stranger]] = [join(ADA), join(BOB), join({ ...EVE, userId: ADA.userId })];
    publish(aDatasourceEvent());
    publish(aChat(1));
    expect(stranger.sent).toEqual([]);
    expect(bob.sent).toHaveLength(1);
    expect(ada.sent).toHaveLength(2);
    expect(ada.sent[0]).toBe(bob.sent[0]);
  });

  it('closes all sockets of a user whose sessions have all ended', () => {
    const { join } = opened();
    const [[one], [two], [bob]] = [join(ADA), join({ ...ADA, sessionId: asId('8'.repeat(24)) }), join(BOB)];
    publish(SESSIONS_END);
    expect([one, two, bob].map(({ closedWith }) => closedWith)).toEqual([4401, 4401, null]);
  });

  it('forgets sockets that have closed, and hears nothing after it was stopped', () => {
    const { hub, join } = opened();
    const [[ada, left], [bob, listener]] = [join(ADA), join(BOB)];
    hub.remove(left);
    publish(TASK_EVENT);
    expect([...hub.all()]).toEqual([listener]);
    hub.onModuleDestroy();
    publish(TASK_EVENT);
    expect([ada, bob].map(({ sent }) => sent.length)).toEqual([0, 1]);
  });
});
