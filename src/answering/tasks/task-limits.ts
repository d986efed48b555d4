/** How much one run may cost. */
export interface TaskLimits {
  /** Rounds of a model outside, the last word included. */
  readonly steps: number;
  /** Tool calls in all. */
  readonly toolCalls: number;
  /** From here on nothing new is asked, and what is there is written up. */
  readonly askForMs: number;
  /** A question that still runs is given up here. */
  readonly endMs: number;
}

const MINUTE = 60_000;
/** The built-in analyst reads a question in milliseconds and needs three rounds; its cost is its queries, a fixed number a question. */
const OF_ANALYST = { steps: 2000, toolCalls: 150 };

/** `isBilled`: a model outside writes, and every round of it costs time and money. */
export function limitsOf(thinking: boolean, isBilled: boolean): TaskLimits {
  const time = thinking ? { askForMs: 7 * MINUTE, endMs: 9 * MINUTE } : { askForMs: 3 * MINUTE, endMs: 4 * MINUTE };
  if (!isBilled) return { ...OF_ANALYST, ...time };
  return thinking ? { steps: 24, toolCalls: 36, ...time } : { steps: 8, toolCalls: 12, ...time };
}
