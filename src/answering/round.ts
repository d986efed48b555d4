import type { AnswerKind } from '../ports/assistant-answer.js';
import type { ModelDelta, ToolCall } from '../ports/chat-model.js';
import { AppError } from '../shared/app-error.js';
import type { AnswerStep } from './answer-step.js';
import type { CheckedText } from './checked-text.js';

export interface Round {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly reason: 'stop' | 'tool_calls' | 'length' | 'other';
  readonly verdict: AnswerKind | null;
}

/**
 * Listens to one round and writes into the answer what belongs to it.
 *
 * Text is held back until it is certain that no call follows it, because what a model says before a call ("let me look") is no
 * answer. `streamsFrom` says after how many characters that certainty is assumed: 0 where no call can follow. Text that went out
 * stays part of the answer whatever follows, so that the pieces always make up the answer.
 *
 * @throws AppError `unavailable` when the round has no end.
 */
export async function* listen(
  deltas: AsyncIterable<ModelDelta>,
  answer: Pick<CheckedText, 'full' | 'write'>,
  streamsFrom: number,
): AsyncGenerator<AnswerStep, Round> {
  const calls = new CallCollector();
  let held = '';
  let text = '';
  for await (const delta of deltas) {
    switch (delta.kind) {
      case 'text':
        text += delta.text;
        held += delta.text;
        if (calls.size > 0 || text.length < streamsFrom) break;
        yield* written(answer.write(held));
        held = '';
        // A model that goes on for ever is cut like a model that wrote too much.
        if (answer.full) return { text, calls: [], reason: 'stop', verdict: null };
        break;
      case 'call':
        calls.add(delta);
        break;
      case 'end':
        if (calls.size === 0) yield* written(answer.write(held));
        return { text, calls: calls.calls(), reason: delta.reason, verdict: delta.verdict };
    }
    if (text.length > MAX_HELD) throw new AppError('unavailable', 'the model did not stop writing');
  }
  throw new AppError('unavailable', 'the model broke off');
}

const MAX_HELD = 200_000;

export function* written(text: string): Generator<AnswerStep> {
  if (text !== '') yield { kind: 'text', text };
}

const MAX_CHARACTERS = 100_000;

interface Draft {
  id: string | null;
  name: string;
  arguments: string;
}

/** Puts the tool calls of a round together from their pieces, which may come mixed, without deciding whether they make sense. */
export class CallCollector {
  private readonly drafts = new Map<string, Draft>();
  private characters = 0;

  get size(): number {
    return this.drafts.size;
  }

  /** @throws AppError `unavailable` when the model does not stop. */
  add(piece: Extract<ModelDelta, { kind: 'call' }>): void {
    this.characters += piece.arguments.length + 1;
    if (this.characters > MAX_CHARACTERS) throw new AppError('unavailable', 'the model did not stop calling tools');
    const draft = this.drafts.get(piece.key) ?? { id: null, name: '', arguments: '' };
    // Some servers repeat the id and the name with every piece.
    draft.id ??= piece.id === '' ? null : piece.id;
    if (draft.name === '') draft.name = piece.name ?? '';
    draft.arguments += piece.arguments;
    this.drafts.set(piece.key, draft);
  }

  /** The calls in the order in which they began, each with an id of its own. */
  calls(): readonly ToolCall[] {
    const taken = new Set<string>();
    return [...this.drafts.values()].map((draft, index) => {
      const id = draft.id !== null && !taken.has(draft.id) ? draft.id : `call_${index + 1}_${draft.id ?? ''}`;
      taken.add(id);
      return { id, name: draft.name, arguments: draft.arguments };
    });
  }
}
