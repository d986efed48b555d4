import type { ModelDelta } from '../ports/chat-model.js';
import { untilAborted } from '../shared/until-aborted.js';

const WINDOW_MS = 40;
const ENOUGH = 2000;
/** The time is over that what is held waits for more. */
const DUE = { kind: 'due' } as const;
const OVER = { kind: 'over' } as const;

/**
 * Passes on what a model writes, in order, with text gathered: the first piece goes at once, what follows within 40 ms goes together.
 * Ends with the signal's reason thrown as soon as it aborts, even when the model does not listen to it.
 */
export async function* gather(deltas: AsyncIterable<ModelDelta>, signal: AbortSignal): AsyncGenerator<ModelDelta> {
  const source = deltas[Symbol.asyncIterator]();
  const held = new HeldText();
  try {
    for (let next = pull(source); ;) {
      const heard = await untilAborted(held.window === null ? next : Promise.race([next, held.window]), signal);
      if (heard.kind === 'due') held.window = null;
      else next = pull(source);
      if (heard.kind === 'text') held.text += heard.text;
      if (heard.kind !== 'text' || held.mayGo) yield* held.letGo();
      if (heard.kind === 'over') return;
      if (heard.kind === 'call' || heard.kind === 'end') yield heard;
    }
  } finally {
    held.closeWindow();
    // Not awaited: a source that hangs would hang its listener, and its signal ends it.
    source.return?.().catch(() => undefined);
  }
}

/** A failure may come while the last piece is still being worked on; it is heard when the piece is asked for. */
function pull(source: AsyncIterator<ModelDelta>): Promise<ModelDelta | typeof OVER> {
  const next = source.next().then(({ done, value }) => (done === true ? OVER : value));
  next.catch(() => undefined);
  return next;
}

/** Text that waits for the end of its window, so that it goes out together. */
class HeldText {
  text = '';
  window: Promise<typeof DUE> | null = null;
  private timer: NodeJS.Timeout | undefined;

  /** A model of this process can write faster than any timer fires. */
  get mayGo(): boolean {
    return this.window === null || this.text.length >= ENOUGH;
  }

  /** All goes out, and what follows it is held for a while. */
  *letGo(): Generator<ModelDelta> {
    const { text } = this;
    if (text === '') return;
    this.text = '';
    this.closeWindow();
    this.window = new Promise((resolve) => {
      this.timer = setTimeout(resolve, WINDOW_MS, DUE);
    });
    yield { kind: 'text', text };
  }

  closeWindow(): void {
    clearTimeout(this.timer);
  }
}
