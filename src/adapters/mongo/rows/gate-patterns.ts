import { type GateValue, refused } from './gate-json.js';

const LONGEST_PATTERN = 200;
/** Repeats, of what stands before them. */
const REPEAT = String.raw`(?:[*+?]|\{\d*,?\d*\})`;
/** A part in brackets that is repeated and repeats or chooses inside: what makes a pattern take for ever on an unlucky text. */
const NESTED = new RegExp(String.raw`\([^()]*(?:${REPEAT}|\|)[^()]*\)[*+{]`);
const ANY_GROUP = /\(([^()]*)\)/;
const UNUSUAL = /\\[1-9gkKQEXRCG]|\(\?(?!:|i\)|[=!])|\(\*/;
const MOST_REPEATS = 8;

/** @throws AppError `invalid_input` when it is none that is surely done soon. */
export function assertPattern(pattern: string, options: GateValue): void {
  if (typeof options !== 'string' || !/^[imsx]{0,4}$/.test(options))
    throw refused('the options of a pattern are i, m, s and x');
  if (pattern.length > LONGEST_PATTERN) throw refused(`a pattern is longer than ${LONGEST_PATTERN} characters`);
  const plain = withoutSets(pattern);
  if (UNUSUAL.test(plain)) throw refused('a pattern may not refer back to its parts or call them');
  if (plain.split(new RegExp(REPEAT)).length - 1 > MOST_REPEATS)
    throw refused(`a pattern repeats at most ${MOST_REPEATS} times`);
  if (repeatsWithin(plain)) throw refused('a pattern may not repeat a part that repeats or chooses inside');
}

/** Escaped signs and sets of signs are single signs to what follows. */
function withoutSets(pattern: string): string {
  return pattern.replace(/\\[^1-9gkKQEXRCG]/g, 'a').replace(/\[\^?\]?[^\]]*\]/g, 'a');
}

/** From the inside out, each part in brackets becomes one sign. */
function repeatsWithin(pattern: string): boolean {
  let rest = pattern;
  while (ANY_GROUP.test(rest)) {
    if (NESTED.test(rest)) return true;
    // What repeats inside still does.
    rest = rest.replace(ANY_GROUP, (_all, inner: string) => (new RegExp(`${REPEAT}|\\|`).test(inner) ? 'a|' : 'a'));
    if (/a\|[*+{]/.test(rest)) return true;
  }
  return false;
}
