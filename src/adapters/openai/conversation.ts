import { createHash, randomBytes } from 'node:crypto';
import type { JsonObject } from '../../shared/json.js';

/** What a model sent in one round beside its text and its calls, and wants to see again with them. */
export interface KeptRound {
  /** Output items of the Responses API, as they came. */
  readonly items: readonly JsonObject[];
  /** `reasoning_content` of the message. */
  readonly reasoning: string;
  /** `reasoning_details` of the message. */
  readonly details: readonly JsonObject[];
  /** `extra_content` by the key of the call. */
  readonly extras: ReadonlyMap<string, JsonObject>;
}

interface KeptCall extends Omit<KeptRound, 'extras'> {
  readonly extra: JsonObject | null;
}

/** What this process remembers of one question while it is being answered. */
export class Conversation {
  /** One word for all rounds, so that they begin alike and the provider can reuse what it has read. */
  readonly boundary = randomBytes(12).toString('hex');
  private readonly calls = new Map<string, KeptCall>();

  /** `ids` are those of the round's calls, by key. */
  keep(ids: ReadonlyMap<string, string>, { extras, ...round }: KeptRound): void {
    for (const [key, id] of ids) this.calls.set(id, { ...round, extra: extras.get(key) ?? null });
  }

  /** What came with a call. */
  of(callId: string): KeptCall | null {
    return this.calls.get(callId) ?? null;
  }
}

/** An id as every server takes it: nine letters and digits. */
export function shortId(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 9);
}
