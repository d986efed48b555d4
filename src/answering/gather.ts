import type { ModelDelta } from '../ports/chat-model.js';
import { untilAborted } from '../shared/until-aborted.js';

const WINDOW_MS = 40;
const ENOUGH = 2000;
const DUE = Symbol('due');

/**
 * Passes on what a model writes, in order, with text gathered: the first piece goes at once, what follows within 40 ms goes together.
 * Ends with the signal's reason thrown as soon as it aborts, even when the model does not listen to it.
 */
export async function* gather(deltas: AsyncIterable<ModelDelta>, signal: AbortSignal): AsyncGenerator<ModelDelta> {
  const source = deltas[Symbol.asyncIterator]();
  const gathering = new Gathering();
  try {
    for (let next = pull(source); ;) {
      const turn = await untilAborted(gathering.orDue(next), signal);
      if (turn === DUE) {
        yield* gathering.windowEnded();
        continue;
      }
      if (turn.done === true) break;
      next = pull(source);
      yield* gathering.take(turn.value);
    }
    yield* gathering.release();
  } finally {
    gathering.closeWindow();
    // Not awaited: a source that hangs would hang its listener, and its signal ends it.
    source.return?.().catch(() => undefined);
  }
}

/** A failure may come while the last piece is still being worked on; it is heard when the piece is asked for. */
function pull(source: AsyncIterator<ModelDelta>): Promise<IteratorResult<ModelDelta>> {
  const next = source.next();
  next.catch(() => undefined);
  return next;
}

/** Text that waits for the end of its window. */
class Gathering {
  private text = '';
  private window: Promise<typeof DUE> | null = null;
  private timer: NodeJS.Timeout | undefined;

  orDue<T>(next: Promise<T>): Promise<T | typeof DUE> {
    return this.window === null ? next : Promise.race([next, this.window]);
  }

  /** What goes out now that this came. */
  *take(delta: ModelDelta): Generator<ModelDelta> {
    if (delta.kind !== 'text') {
      yield* this.release();
      yield delta;
      return;
    }
    this.text += delta.text;
    // A model of this process can write faster than any timer fires.
    if (this.window !== null && this.text.length < ENOUGH) return;
    this.closeWindow();
    this.openWindow();
    yield* this.release();
  }

  *windowEnded(): Generator<ModelDelta> {
    this.window = null;
    if (this.text === '') return;
    this.openWindow();
    yield* this.release();
  }

  *release(): Generator<ModelDelta> {
    const { text } = this;
    this.text = '';
    if (text !== '') yield { kind: 'text', text };
  }

  closeWindow(): void {
    clearTimeout(this.timer);
  }

  private openWindow(): void {
    this.window = new Promise((resolve) => {
      this.timer = setTimeout(resolve, WINDOW_MS, DUE);
    });
  }
}
