import { describe, expect, it } from 'vitest';
import type { EventStream } from '../../ports/event-stream.js';
import type { Log } from '../../ports/log.js';
import type { SessionId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import type { AuthFacade } from '../auth/auth.facade.js';
import { FakeSocket } from './fake-socket.fixture.js';
import { Listener } from './listener.js';
import { StreamHub } from './stream-hub.js';
import { StreamUpkeep } from './stream-upkeep.js';
import { ADA, BOB, NOTHING_KEPT, anAdmission } from './stream.fixture.js';

/** A hub with sockets of these people, and somebody who answers questions about their sessions. */
class Scene {
  readonly questions: (readonly SessionId[])[] = [];
  readonly warnings: string[] = [];
  readonly sockets: readonly FakeSocket[];
  readonly upkeep: StreamUpkeep;

  constructor(people: readonly Principal[], answer: (ids: readonly SessionId[]) => Promise<ReadonlySet<SessionId>>) {
    const hub = new StreamHub({} as EventStream);
    this.sockets = people.map((principal) => {
      const socket = new FakeSocket();
      hub.add(new Listener(socket, anAdmission({ principal }), NOTHING_KEPT));
      return socket;
    });
    const aliveSessions: AuthFacade['aliveSessions'] = (ids) => {
      this.questions.push(ids);
      return answer(ids);
    };
    const log = { warn: (message: string) => void this.warnings.push(message) };
    this.upkeep = new StreamUpkeep(hub, { aliveSessions } as AuthFacade, log as Log);
  }

  get closings(): readonly (number | null)[] {
    return this.sockets.map(({ closedWith }) => closedWith);
  }
}

describe('the check of sessions', () => {
  it('asks once for all sockets, and closes those whose session is over; nothing when there are no sockets', async () => {
    let answer: (alive: ReadonlySet<SessionId>) => void = () => undefined;
    const scene = new Scene([ADA, ADA, BOB], () => new Promise((resolve) => (answer = resolve)));
    const first = scene.upkeep.checkSessions();
    // Not again before it was answered.
    await scene.upkeep.checkSessions();
    answer(new Set([BOB.sessionId]));
    await first;
    expect(scene.questions).toEqual([[ADA.sessionId, BOB.sessionId]]);
    expect(scene.closings).toEqual([4401, 4401, null]);
    const empty = new Scene([], () => Promise.resolve(new Set()));
    await empty.upkeep.checkSessions();
    expect(empty.questions).toEqual([]);
  });

  it('closes nobody while the store is away, and says so once', async () => {
    let away = true;
    const scene = new Scene([ADA], (ids) => (away ? Promise.reject(new Error('away')) : Promise.resolve(new Set(ids))));
    await scene.upkeep.checkSessions();
    await scene.upkeep.checkSessions();
    expect(scene.closings).toEqual([null]);
    expect(scene.warnings).toHaveLength(1);

    away = false;
    await scene.upkeep.checkSessions();
    away = true;
    await scene.upkeep.checkSessions();
    expect(scene.warnings).toHaveLength(2);
  });
});
