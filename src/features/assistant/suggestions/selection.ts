import { sameWords } from './asked-questions.js';

const MOST_SHOWN = 6;
/** Of those that the user asked before. */
const MOST_OWN_SHOWN = 2;
const FEWEST_SHOWN = 4;
/** Questions that are thought of, of which one turn shows a part. */
export const MOST_KNOWN = 12;

/** The user's own come first, unless they are among those known; what was asked already is left out as long as there is enough without. */
export function poolOf(known: readonly string[], own: readonly string[], asked: readonly string[]): readonly string[] {
  const all = new Map([...own.slice(0, MOST_OWN_SHOWN), ...known].toReversed().map((text) => [sameWords(text), text]));
  const pool = [...all.values()].toReversed();
  const done = new Set(asked.map(sameWords));
  const rest = pool.filter((text) => !done.has(sameWords(text)));
  return rest.length >= FEWEST_SHOWN ? rest : pool;
}

/**
 * The questions of a turn, out of all that can be asked: 4 to 6, and others with the next turn. All of them where there are no more
 * than 4.
 */
export function selectionOf(known: readonly string[], turn: number): readonly string[] {
  const shown = Math.min(known.length, known.length < MOST_SHOWN + 2 ? FEWEST_SHOWN : MOST_SHOWN);
  const first = known.length === 0 ? 0 : (turn * shown) % known.length;
  return [...known.slice(first), ...known.slice(0, first)].slice(0, shown);
}
