const MOST_SHOWN = 6;
const FEWEST_SHOWN = 4;
/** Questions that are thought of, of which one turn shows a part. */
export const MOST_KNOWN = 12;

/**
 * The questions of a turn, out of all that can be asked: 4 to 6, and others with the next turn. All of them where there are no more
 * than 4.
 */
export function selectionOf(known: readonly string[], turn: number): readonly string[] {
  const shown = Math.min(known.length, known.length < MOST_SHOWN + 2 ? FEWEST_SHOWN : MOST_SHOWN);
  const first = known.length === 0 ? 0 : (turn * shown) % known.length;
  return [...known.slice(first), ...known.slice(0, first)].slice(0, shown);
}
