import type { ModelDelta, ToolCall } from '../ports/chat-model.js';
import { AppError } from '../shared/app-error.js';

const MAX_CHARACTERS = 100_000;

type CallPiece = Extract<ModelDelta, { kind: 'call' }>;

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
  add(piece: CallPiece): void {
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
