import type { Filter } from '../../../ports/analysis-plan.js';
import type { Script } from '../statistics/script.js';

const NOUN = String.raw`(?:bin|group|quartile|tercile|tertile|quintile|decile|class|category|interval|bucket|band|bracket)`;
const CHOSEN = new RegExp(
  String.raw`\s*\b(?:in|for|of|within|from) the (?<which>lowest|first|bottom|highest|top|last|uppermost|lowermost|upper|lower|second|third|fourth) (?:(?:of the|of these) )?${NOUN}s?\b`,
  'iu',
);
const PLACES: ReadonlyMap<string, number> = new Map([
  ['second', 1],
  ['third', 2],
  ['fourth', 3],
]);

export interface ChosenGroup {
  readonly filters: readonly Filter[];
  readonly rest: string;
}

/** `in the lowest bin`, of the groups that the message made: the condition, and the question without it. */
export function chosenGroupIn(text: string, script: Script): ChosenGroup {
  const found = CHOSEN.exec(text);
  const { groups } = script;
  if (found === null || groups === null) return { filters: [], rest: text };
  const filter = filterFor(found.groups?.['which']?.toLowerCase() ?? '', groups.name, script);
  if (filter === null) return { filters: [], rest: text };
  return { filters: [filter], rest: `${text.slice(0, found.index)}${text.slice(found.index + found[0].length)}` };
}

function filterFor(which: string, column: string, script: Script): Filter | null {
  const made = script.neededFor([column]).at(-1)?.expression;
  if (made?.kind === 'equal_bins')
    return { kind: 'compare', column, operator: '=', value: placeOf(which, made.count) + 1 };
  const labels = script.values.filter((one) => one.column === column).map(({ value }) => value);
  const label = made?.kind === 'bins' ? labels[placeOf(which, labels.length)] : undefined;
  return label === undefined ? null : { kind: 'in', column, values: [label], negated: false };
}

function placeOf(which: string, count: number): number {
  if (/^(?:highest|top|last|upper)/u.test(which)) return count - 1;
  return PLACES.get(which) ?? 0;
}
