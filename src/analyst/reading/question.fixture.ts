import type { Scene } from '../profiles.fixture.js';
import { link } from './mentions.js';
import { Question } from './question.js';
import { factsOf } from './table.js';
import { WEIGHT_COUNT } from './weights.js';

const NO_WEIGHTS = new Float32Array(WEIGHT_COUNT);

/** What a message says about a table, before anything is weighed. */
export function questionIn(message: string, { table, now }: Scene): Question {
  const facts = factsOf(table);
  return new Question(link(message, facts, now.getTime(), NO_WEIGHTS), facts, NO_WEIGHTS);
}
