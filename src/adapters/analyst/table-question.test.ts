import { describe, expect, it } from 'vitest';
import { notationOf } from './fixtures/plan-notation.fixture.js';
import type { Scene } from './fixtures/profile-builders.fixture.js';
import { CONDITION_QUESTIONS } from './fixtures/questions-conditions.fixture.js';
import { PARAPHRASED_TABLE_QUESTIONS } from './fixtures/questions-paraphrased-table.fixture.js';
import { PLAIN_QUESTIONS } from './fixtures/questions-plain.fixture.js';
import { MORE_PLAIN_QUESTIONS } from './fixtures/questions-plain-more.fixture.js';
import { PLAIN_REFUSED } from './fixtures/questions-plain-refused.fixture.js';
import { GYM, PORT_CALLS } from './fixtures/odd-header-scenes.fixture.js';
import { SMALL_QUESTIONS, SMALL_REFUSED } from './fixtures/questions-small.fixture.js';
import { STRANGERS_QUESTIONS, STRANGERS_REFUSED } from './fixtures/questions-strangers.fixture.js';
import { EMP, FILMS, GAMES, SINGERS } from './fixtures/plain-scenes.fixture.js';
import { understandTable } from './table-question.js';
import { understandAll } from './understand.js';

function planOf(scene: Scene, question: string): string {
  const understood = understandTable(question, scene.table, [], scene.now);
  return understood.kind === 'plan' ? notationOf(understood.plan) : '?';
}

const asked = [
  ...PLAIN_QUESTIONS,
  ...MORE_PLAIN_QUESTIONS,
  ...CONDITION_QUESTIONS,
  ...PARAPHRASED_TABLE_QUESTIONS,
  ...STRANGERS_QUESTIONS,
  ...SMALL_QUESTIONS,
].map(([scene, question, plan]) => [question, plan, scene] as const);

describe('whole sentences about a table', () => {
  it.each(asked)('reads “%s” as %s', (question, plan, scene) => {
    expect(planOf(scene, question)).toBe(plan);
  });

  it.each(
    [...PLAIN_REFUSED, ...STRANGERS_REFUSED, ...SMALL_REFUSED].map(([scene, question]) => [question, scene] as const),
  )('refuses “%s”', (question, scene) => {
    expect(planOf(scene, question)).toBe('?');
  });

  it('reads a whole question alike, whatever came before', () => {
    const { table, now } = PORT_CALLS;
    const question = 'What percentage of tankers was inspected?';
    const before = understandTable('How many calls did Kestrel make?', table, [], now);
    const plan = before.kind === 'plan' ? before.plan : null;
    const after = understandAll(question, table, [{ question: '', answer: '', dbquery: '', plan }], now);
    expect(after.map(({ understanding }) => understanding)).toEqual(
      understandAll(question, table, [], now).map(({ understanding }) => understanding),
    );
    expect(after[0]?.understanding.kind).toBe('plan');
  });

  it('takes no verb for a mistyped noun', () => {
    const { table, now } = GYM;
    const read = understandTable('How many women does Riverside member?', table, [], now);
    expect(JSON.stringify(read)).not.toContain('I read');
  });

  it('names a verb that only links a condition to its noun', () => {
    const { table, now } = GAMES;
    expect(understandTable('How many games did each home team play in 2019?', table, [], now)).toMatchObject({
      unread: ['play'],
      confidence: 0.6,
    });
  });

  it('takes a strange noun for the rows where the rest fits, and says so', () => {
    const { table, now } = EMP;
    expect(understandTable('names and salaries of all wizards', table, [], now)).toMatchObject({
      notes: ['I took “wizards” as the rows of this table.'],
      unread: ['wizards'],
    });
    expect(planOf(EMP, 'how many wizards are there')).toBe('?');
  });

  it('asks between columns that it can’t choose from', () => {
    expect(planOf(GAMES, 'games of the Rovers')).toBe('?');
  });

  it.each([
    [FILMS, 'films with any rating above', '?'],
    [SINGERS, ', and or , and or', '?'],
    [SINGERS, 'top top top 3 3 3', '?'],
    [SINGERS, 'singers or', '?'],
  ])('does not fall for %#', (scene, question, plan) => {
    expect(planOf(scene, question)).toBe(plan);
  });
});
