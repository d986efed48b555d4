import type { Filter } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import { columnAt, type ColumnHere } from './column-mentions.js';
import type { Line } from './line.js';
import { theOnly } from './only.js';

const YES = /^(yes|y|true|t|ja|oui|si)$/i;
const NO = /^(no|n|false|f|nein|non)$/i;

/** The column of yes and no that is named here: one of truth values, or one that holds just `Y` and `N`, or 1 and 0. */
export function flagAt(line: Line, at: number): ColumnHere | null {
  const named = columnAt(line, at);
  const column = named === null || named.together ? null : flagAmong(named.columns);
  return named === null || column === null ? null : { column, strength: named.strength, next: named.next };
}

/** `paid` is said of rows, so that of paid_yn and paid_on the first is meant. */
function flagAmong(columns: readonly ColumnFacts[]): ColumnFacts | null {
  const flags = columns.filter(isFlag);
  const others = columns.filter((column) => !isFlag(column));
  return others.every(({ role }) => role === 'time') ? theOnly(flags) : null;
}

/** `unpaid fines`: the no of a column called paid. */
export function deniedFlagAt(line: Line, at: number): ColumnHere | null {
  const word = /^(?:un|non)(?<said>[a-z]{4,})$/.exec(line.key(at))?.groups?.['said'];
  if (word === undefined || columnAt(line, at) !== null) return null;
  const column = theOnly(line.facts.columns.filter((one) => isFlag(one) && one.words[0] === word));
  return column === null ? null : { column, strength: 80, next: at + 1 };
}

export function isFlag(column: ColumnFacts): boolean {
  return column.role === 'boolean' || answersOf(column) !== null || isBit(column);
}

/** The condition that a column of yes and no says so, or that it does not. */
export function flagFilter(column: ColumnFacts, says: boolean): Filter {
  const { name } = column;
  const answers = answersOf(column);
  if (answers !== null) return { kind: 'in', column: name, values: [says ? answers.yes : answers.no], negated: false };
  if (isBit(column)) return { kind: 'compare', column: name, operator: '=', value: says ? 1 : 0 };
  return { kind: 'in', column: name, values: [says], negated: false };
}

interface Answers {
  readonly yes: string;
  readonly no: string;
}

function answersOf({ profile, role }: ColumnFacts): Answers | null {
  const texts = profile.topValues.map(({ value }) => value);
  if (role !== 'category' || profile.distinct !== 2 || texts.length !== 2) return null;
  const [yes, no] = [texts.find((text) => YES.test(text)), texts.find((text) => NO.test(text))];
  return yes === undefined || no === undefined ? null : { yes, no };
}

/** Nothing but 0 and 1, and no count of something. */
function isBit({ profile, role, additive }: ColumnFacts): boolean {
  const isInteger = role === 'figure' && profile.type === 'integer' && !additive;
  return isInteger && profile.distinct === 2 && profile.min === 0 && profile.max === 1;
}
