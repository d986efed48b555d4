import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { OpenPlaces } from './open-places.js';
import { ADA, BOB } from './stream.builder.js';

class Connection extends EventEmitter {
  readonly destroyed: boolean = false;
}

describe('places', () => {
  it('are counted per user, and one more is refused with the time to come back', () => {
    const places = new OpenPlaces(2);
    places.take(ADA.userId, new Connection());
    places.take(ADA.userId, new Connection());

    expect(() => {
      places.take(ADA.userId, new Connection());
    }).toThrow(expect.objectContaining({ kind: 'rate_limited', retryAfter: 30 }) as Error);
    expect(() => {
      places.take(BOB.userId, new Connection());
    }).not.toThrow();
  });

  it('are free again when a connection closes', () => {
    const places = new OpenPlaces(1);
    const first = new Connection();
    places.take(ADA.userId, first);
    first.emit('close');

    expect(() => {
      places.take(ADA.userId, new Connection());
    }).not.toThrow();
  });

  it('are not taken by a connection that is gone already', () => {
    const places = new OpenPlaces(1);
    const gone = Object.assign(new Connection(), { destroyed: true });
    places.take(ADA.userId, gone);

    expect(() => {
      places.take(ADA.userId, new Connection());
    }).not.toThrow();
  });
});
