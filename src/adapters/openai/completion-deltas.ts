import { z } from 'zod';
import type { ModelDelta } from '../../ports/chat-model.js';
import { AppError } from '../../shared/app-error.js';

/** What we read of a streamed chunk. Servers differ in all the rest. */
const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  index: z.number().nullish(),
                  id: z.string().nullish(),
                  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.object({ total_tokens: z.number().nullish() }).nullish(),
});

type Choice = NonNullable<z.infer<typeof chunkSchema>['choices']>[number];
type Delta = NonNullable<Choice['delta']>;
type End = Extract<ModelDelta, { kind: 'end' }>;

/** Turns the chunks of one streamed completion into deltas, and remembers how it ended. */
export class CompletionDeltas {
  private readonly keys = new CallKeys();
  private finish: string | null = null;
  private tokens: number | null = null;

  /** The deltas of one chunk. @throws AppError `unavailable` when it isn't one. */
  *read(chunk: unknown): Generator<ModelDelta> {
    const checked = chunkSchema.safeParse(chunk);
    if (!checked.success) throw new AppError('unavailable', 'the model sent something unreadable');
    this.tokens = checked.data.usage?.total_tokens ?? this.tokens;
    const choice = checked.data.choices?.[0];
    if (choice === undefined) return;
    this.finish = choice.finish_reason ?? this.finish;
    if (choice.delta) yield* this.deltasOf(choice.delta);
  }

  /** `null` as long as the model has not said that it is done: a stream that ends then was cut. */
  get end(): End | null {
    if (this.finish === null) return null;
    return { kind: 'end', reason: REASONS.get(this.finish) ?? 'other', verdict: null, tokens: this.tokens };
  }

  private *deltasOf({ content, tool_calls: calls }: Delta): Generator<ModelDelta> {
    if (content) yield { kind: 'text', text: content };
    for (const { index, id, function: called } of calls ?? []) {
      const marks = { index: index ?? null, id: filled(id), name: filled(called?.name) };
      const { name } = marks;
      yield { kind: 'call', key: this.keys.of(marks), id: marks.id, name, arguments: called?.arguments ?? '' };
    }
  }
}

function filled(text: string | null | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

const REASONS: ReadonlyMap<string, End['reason']> = new Map([
  ['stop', 'stop'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['length', 'length'],
]);

interface PieceMarks {
  readonly index: number | null;
  readonly id: string | null;
  readonly name: string | null;
}

/**
 * Tells which call a piece belongs to. The protocol has an index for that; some servers leave it out, and some give every call the same
 * one, so a new id, or without ids a new name, begins a new call.
 */
class CallKeys {
  private count = 0;
  private last: string | null = null;
  private readonly byIndex = new Map<number, { readonly key: string; readonly id: string | null }>();
  private readonly byId = new Map<string, string>();

  of(piece: PieceMarks): string {
    this.last = piece.index === null ? this.withoutIndex(piece) : this.withIndex(piece.index, piece.id);
    return this.last;
  }

  private withIndex(index: number, id: string | null): string {
    const known = this.byIndex.get(index);
    const isSame = known !== undefined && (id === null || known.id === null || known.id === id);
    const key = isSame ? known.key : this.next();
    this.byIndex.set(index, { key, id: id ?? known?.id ?? null });
    return key;
  }

  private withoutIndex({ id, name }: PieceMarks): string {
    if (id !== null) {
      const key = this.byId.get(id) ?? this.next();
      this.byId.set(id, key);
      return key;
    }
    return name !== null || this.last === null ? this.next() : this.last;
  }

  private next(): string {
    this.count += 1;
    return String(this.count);
  }
}
