import { describe, expect, it } from 'vitest';
import { PARCELS, TOWERS } from './fixtures/fresh-scenes.fixture.js';
import { notationOf } from './fixtures/plan-notation.fixture.js';
import type { Scene } from './fixtures/profile-builders.fixture.js';
import { FRESH_MESSAGES } from './fixtures/questions-fresh.fixture.js';
import { understandAll } from './understand.js';

function plansOf({ table, now }: Scene, message: string): string {
  return understandAll(message, table, [], now)
    .map(({ understanding }) => (understanding.kind === 'plan' ? notationOf(understanding.plan) : '?'))
    .join(' && ');
}

describe('whole messages about a table', () => {
  it.each(FRESH_MESSAGES.map(([scene, message, plan]) => [message, plan, scene] as const))(
    'reads “%s” as %s',
    (message, plan, scene) => {
      expect(plansOf(scene, message)).toBe(plan);
    },
  );

  it('says which words it took an explanation for', () => {
    const [part] = understandAll('How many parcels are overweight (above 20 kg)?', PARCELS.table, [], PARCELS.now);
    expect(part?.understanding).toMatchObject({
      notes: ['I took “overweight” as “above 20 kg”, as you explain it.'],
      confidence: 1,
    });
  });

  it('never leaves out a second question of which it knows no word', () => {
    const message = 'What is the tallest tower and how wobbly does it feel?';
    expect(plansOf(TOWERS, message)).toContain('?');
  });

  it('names the noun that a value is said of', () => {
    const [part] = understandAll('parcels of damp cardboard from Quay', PARCELS.table, [], PARCELS.now);
    expect(part?.understanding).toMatchObject({ unread: ['cardboard'], confidence: 0.6 });
  });
});
