import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { InProcessLimits } from '../../src/adapters/embedded/in-process-limits.js';
import { OpenPlaces } from '../../src/features/stream/upgrade-authenticator.js';
import { ADA, BOB } from '../../src/features/stream/stream.fixture.js';

class Connection extends EventEmitter {
  destroyed = false;
}

function places(perUser: number): OpenPlaces {
  return new OpenPlaces(new InProcessLimits(), perUser);
}

describe('places', () => {
  it('are counted per user, and one more is refused with the time to come back', async () => {
    const two = places(2);
    await two.take(ADA.userId, new Connection());
    await two.take(ADA.userId, new Connection());
    await expect(two.take(ADA.userId, new Connection())).rejects.toMatchObject({
      kind: 'rate_limited',
      retryAfter: 30,
    });
    await expect(two.take(BOB.userId, new Connection())).resolves.toBeUndefined();
  });

  it('are free again when a connection closes', async () => {
    const one = places(1);
    const first = new Connection();
    await one.take(ADA.userId, first);
    first.emit('close');
    await expect(one.take(ADA.userId, new Connection())).resolves.toBeUndefined();
  });

  it('are not taken by a connection that is gone already, or goes before it has one', async () => {
    const one = places(1);
    await one.take(ADA.userId, Object.assign(new Connection(), { destroyed: true }));
    const going = new Connection();
    const taken = one.take(ADA.userId, going);
    going.destroyed = true;
    await taken;
    await expect(one.take(ADA.userId, new Connection())).resolves.toBeUndefined();
  });
});
