import { describe, expect, it } from 'vitest';
import { asId } from '../../shared/ids.js';
import type { ToldEvent } from './frame.wire.js';
import { encodeFrame } from './frame.wire.js';
import { FakeSocket } from './fake-socket.fixture.js';
import { CLOSE, Listener, type ListenerEnds } from './listener.js';
import type { Admission } from './upgrade-authenticator.js';
import { DATASOURCE, MESSAGE, aChat, aDatasourceEvent, anAdmission } from './stream.fixture.js';

const MIB = 1024 * 1024;
const NOTHING_KEPT: ListenerEnds = { replay: () => Promise.resolve([]), lost: () => undefined };

function open(fields: Partial<Admission> = {}, ends = NOTHING_KEPT): { socket: FakeSocket; listener: Listener } {
  const socket = new FakeSocket();
  return { socket, listener: new Listener(socket, anAdmission(fields), ends) };
}

function tell(listener: Listener, event: ToldEvent): void {
  if (listener.hears(event)) listener.tell(event, encodeFrame(event));
}

function owe(listener: Listener, mib: number): void {
  for (let n = 0; n < mib; n += 1) listener.tell(aDatasourceEvent(), Buffer.alloc(MIB));
}

describe('a listener', () => {
  it('is told a message it goes on with, beside its room', async () => {
    const { socket, listener } = open(
      { room: { kind: 'datasource', id: DATASOURCE }, follows: new Map([[MESSAGE, 1]]) },
      { ...NOTHING_KEPT, replay: (_, after) => Promise.resolve([aChat(1), aChat(2)].filter(({ seq }) => seq > after)) },
    );
    await listener.catchUp();
    tell(listener, aDatasourceEvent());
    tell(listener, aChat(3));
    tell(listener, aChat(1, undefined, { messageId: asId('0'.repeat(24)) }));
    socket.drain();

    expect(socket.seqs()).toEqual([2, undefined, 3]);
  });

  it('is asked to come back when the past can not be had', async () => {
    const lost: unknown[] = [];
    const { socket, listener } = open(
      { follows: new Map([[MESSAGE, 0]]) },
      { replay: () => Promise.reject(new Error('away')), lost: (error) => lost.push(error) },
    );
    await listener.catchUp();

    expect(socket.closedWith).toBe(1013);
    expect(lost).toMatchObject([{ message: 'away' }]);
  });

  it('hears nothing after it was sent away', () => {
    const { socket, listener } = open();
    listener.end(CLOSE.sessionEnded, 'session');
    tell(listener, aChat(1));
    listener.end(CLOSE.restart, 'restart');

    expect(socket.sent).toEqual([]);
    expect(socket.closedWith).toBe(4401);
  });

  it('is closed with 1013 when it owes too much and takes nothing for as many checks as there is patience', () => {
    const { socket, listener } = open();
    owe(listener, 5);
    listener.checkProgress(3);
    listener.checkProgress(3);
    expect(socket.closedWith).toBeNull();
    listener.checkProgress(3);
    expect(socket.closedWith).toBe(1013);
  });

  it('may be slow as long as it makes progress', () => {
    const { socket, listener } = open();
    owe(listener, 20);
    for (let n = 0; n < 12; n += 1) {
      listener.checkProgress(2);
      socket.takeOnce();
    }
    expect(socket.closedWith).toBeNull();
  });

  it('may rest on a backlog that is small', () => {
    const { socket, listener } = open();
    owe(listener, 3);
    for (let n = 0; n < 10; n += 1) listener.checkProgress(2);
    expect(socket.closedWith).toBeNull();
  });

  it('is closed at once when it would take more memory than one socket gets', () => {
    const { socket, listener } = open();
    owe(listener, 33);
    expect(socket.closedWith).toBe(1013);
  });
});
