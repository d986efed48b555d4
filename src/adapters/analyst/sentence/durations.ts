import type { Comparison } from '../../../ports/analysis-plan.js';
import type { DurationUnit } from '../../../ports/plan-expression.js';
import type { ColumnFacts } from '../column-facts.js';
import { onlyColumnAt } from './column-mentions.js';
import type { Condition } from './comparisons.js';
import type { Line } from './line.js';
import { theOnly } from './only.js';
import { signAt, unless } from './operators.js';
import type { Sentence } from './sentence.js';

const UNITS: ReadonlyMap<string, readonly [unit: DurationUnit, count: number]> = new Map([
  ['day', ['days', 1]],
  ['week', ['days', 7]],
  ['hour', ['hours', 1]],
  ['minute', ['minutes', 1]],
  ['second', ['seconds', 1]],
]);
const ARTICLES = new Set(['the', 'its', 'their', 'it', 'they', 'was', 'were', 'been', 'a', 'being']);

interface Lasting {
  readonly operator: Comparison;
  readonly value: number;
  readonly unit: DurationUnit;
  readonly next: number;
}

/** `reported more than 30 days after the loss`: how long it is from one time of a row to another. */
export function durationFirst(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const { line } = sentence;
  const lasting = lastingAt(line, at);
  if (lasting === null || !line.is(lasting.next, 'after', 'before')) return null;
  const other = onlyColumnAt(line, line.skip(lasting.next + 1, ARTICLES));
  const own = other?.column.role === 'time' ? ownTime(sentence, other.column) : null;
  if (other === null || own === null) return null;
  const [from, to] = line.is(lasting.next, 'after') ? [other.column, own] : [own, other.column];
  const { unit, value } = lasting;
  const column = sentence.derive({
    name: `${unit} from ${from.name} to ${to.name}`,
    expression: { kind: 'duration', from: from.name, to: to.name, unit },
  });
  return {
    filters: [{ kind: 'compare', column, operator: unless(denied, lasting.operator), value }],
    next: other.next,
  };
}

/** `more than 30 days`, `within two weeks`. */
function lastingAt(line: Line, at: number): Lasting | null {
  const sign = line.is(at, 'within') ? { operator: '<=' as const, next: at + 1 } : signAt(line, at);
  const number = sign === null ? null : line.number(sign.next);
  if (sign === null || number === null) return null;
  const said = number.unit ?? line.key(number.next);
  const found = UNITS.get(said.replace(/s$/, ''));
  if (found === undefined) return null;
  const [unit, count] = found;
  const next = number.unit === null ? number.next + 1 : number.next;
  return { operator: sign.operator, value: number.value * count, unit, next };
}

/** The time of which the verb before speaks, or else the only other one. */
function ownTime({ facts, hinted }: Sentence, other: ColumnFacts): ColumnFacts | null {
  const times = facts.columns.filter(
    (column) => column.role === 'time' && column !== other && column.profile.min !== column.profile.max,
  );
  return theOnly(times.filter((column) => hinted.includes(column))) ?? theOnly(times);
}
