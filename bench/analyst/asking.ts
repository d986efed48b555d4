import type { Expectation, Question } from './question.js';

/** A question before it is known which table it is about. */
export interface Written {
  readonly group: Question['group'];
  readonly kind: string;
  readonly question: string;
  readonly expect: Expectation;
}

/** A question whose answer are the rows of this SQL, in any order. */
export function rows(kind: string, question: string, sql: string): Written {
  return { group: 'table', kind, question, expect: { kind: 'rows', sql } };
}

/** A question whose answer are the rows of this SQL in the order of its column `ordered`, from 0. */
export function inOrder(question: string, sql: string, ordered: number): Written {
  return { group: 'table', kind: 'order', question, expect: { kind: 'rows', sql, ordered } };
}

/** A share, which may be told as a fraction or in percent. */
export function share(question: string, sql: string): Written {
  return { group: 'table', kind: 'share', question, expect: { kind: 'rows', sql, percent: true } };
}

/** A question that the table cannot answer. */
export function refuse(kind: string, question: string): Written {
  return { group: 'unanswerable', kind, question, expect: { kind: 'refuse' } };
}

/** Gives questions about a table their names: `pets-q01`, `pets-q02`. */
export function about(table: string, name: string, written: readonly Written[]): readonly Question[] {
  return written.map((one, index) => ({ id: `${name}-q${String(index + 1).padStart(2, '0')}`, table, ...one }));
}
