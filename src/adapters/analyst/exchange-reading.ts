import type { Exchange, ModelRequest, ToolOutcome } from '../../ports/chat-model.js';
import { isRecord } from '../../shared/json.js';

export function offers({ tools }: ModelRequest, tool: string): boolean {
  return tools.some(({ name }) => name === tool);
}

/** What came of the call of this id. */
export function outcomeOf(exchanges: readonly Exchange[], callId: string): ToolOutcome | null {
  for (const { outcomes } of exchanges.toReversed()) {
    const outcome = outcomes.find((one) => one.callId === callId);
    if (outcome !== undefined) return outcome;
  }
  return null;
}

/** Whether a tool was called in this answer, with whatever came of it. */
export function hasCalled(exchanges: readonly Exchange[], tool: string): boolean {
  return exchanges.some(({ calls }) => calls.some(({ name }) => name === tool));
}

/** What a query's result is called; `null` where its outcome does not say. */
export function resultIdOf({ content }: ToolOutcome): string | null {
  const id = told(content)?.['result'];
  return typeof id === 'string' ? id : null;
}

/** Why a call came to nothing. */
export function problemOf(outcome: ToolOutcome | null): string {
  const problem = outcome === null ? undefined : told(outcome.content)?.['error'];
  return typeof problem === 'string' ? problem.replace(/\.$/, '') : 'the query failed';
}

function told(content: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(content);
    return isRecord(parsed) ? parsed : null;
  } catch {
    // Content that was cut is no JSON any more; then there is nothing to tell but that it failed.
    return null;
  }
}
