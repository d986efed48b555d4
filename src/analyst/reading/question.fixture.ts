import { aScene, numberColumn, type Scene, textColumn, timeColumn } from '../profiles.fixture.js';
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

/** A table with two times, a name and numbers of which one tells its unit. */
export const REPAIRS = aScene({
  name: 'repairs',
  rowCount: 500,
  columns: [
    timeColumn('received', '2024-01-02T00:00:00Z', '2024-12-20T00:00:00Z', 300),
    timeColumn('returned', '2024-01-09T00:00:00Z', '2024-12-28T00:00:00Z', 300),
    textColumn('technician', ['Huber', 'Meier']),
    numberColumn('work_min', { min: 5, max: 900 }),
    numberColumn('cost', { min: 5, max: 900 }),
    numberColumn('rating', { min: 1, max: 5 }),
  ],
  timeField: 'received',
  metaField: 'technician',
  now: '2025-01-15T12:00:00Z',
});
