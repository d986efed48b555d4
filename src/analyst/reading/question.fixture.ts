import { aScene, numberColumn, type Scene, textColumn, timeColumn } from '../profiles.fixture.js';
import type { AggregateDraft } from './draft.js';
import { link } from './mentions.js';
import { Question } from './question.js';
import { factsOf } from './table.js';
import { WEIGHT_COUNT } from './weights.js';

const NO_WEIGHTS = new Float32Array(WEIGHT_COUNT);

/** What a message says about a table, before anything is weighed. */
export function questionIn(message: string, { table, now }: Scene, before: AggregateDraft | null = null): Question {
  const facts = factsOf(table);
  return new Question(link(message, facts, now.getTime(), NO_WEIGHTS), facts, NO_WEIGHTS, before);
}

/** A column of times of about the year 2024. */
export function in2024(name: string): ReturnType<typeof timeColumn> {
  return timeColumn(name, '2024-01-02T00:00:00Z', '2024-12-20T00:00:00Z');
}

/** A table with two times, a name and numbers of which one tells its unit. */
export const REPAIRS = aScene({
  columns: [
    in2024('received'),
    timeColumn('returned', '2024-01-09T00:00:00Z', '2024-12-28T00:00:00Z'),
    textColumn('technician', ['Huber', 'Meier']),
    numberColumn('work_min', { min: 5, max: 900 }),
    numberColumn('cost', { min: 5, max: 900 }),
    numberColumn('rating', { min: 1, max: 5 }),
  ],
});
