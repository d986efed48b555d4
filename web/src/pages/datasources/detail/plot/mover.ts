import { isSame, within, type View } from './view.js';

interface Audience {
  /** At most once a frame; `isMoving` until the view has come to rest. */
  readonly draw: (view: View, isMoving: boolean) => void;
  /** Now and then while the view moves, so that what it comes to can be loaded. */
  readonly passes: (view: View) => void;
  readonly rests: (view: View) => void;
}

const PASSES_EVERY_MS = 150;
const RESTS_AFTER_MS = 250;

/** Where the plot looks, moved by hand. Each movement is drawn with the next frame, and what is slower comes when there is time. */
export class Mover {
  private frame = 0;
  private passing = 0;
  private resting = 0;
  private held = false;

  constructor(
    private current: View,
    private readonly whole: View,
    private readonly audience: Audience,
  ) {}

  get view(): View {
    return this.current;
  }

  /** By hand: it stays where rows are. */
  moveTo(view: View): void {
    const next = within(view, this.whole);
    if (isSame(next, this.current)) return;
    this.current = next;
    this.drawSoon(true);
    this.passing ||= window.setTimeout(() => {
      this.passing = 0;
      this.audience.passes(this.current);
    }, PASSES_EVERY_MS);
    this.restSoon();
  }

  /** While a finger or a button holds the plot it does not come to rest. */
  hold(isHeld: boolean): void {
    this.held = isHeld;
    if (!isHeld && this.resting !== 0) this.restSoon();
  }

  /** From elsewhere, at once. What is being moved by hand is not taken out of it. */
  jumpTo(view: View): void {
    if (this.resting !== 0) return;
    this.current = view;
    this.drawSoon(false);
  }

  /** What waits is dropped. */
  end(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.passing);
    clearTimeout(this.resting);
  }

  private drawSoon(isMoving: boolean): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      this.audience.draw(this.current, isMoving);
    });
  }

  private restSoon(): void {
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => {
      if (this.held) {
        this.restSoon();
        return;
      }
      this.resting = 0;
      this.audience.draw(this.current, false);
      this.audience.rests(this.current);
    }, RESTS_AFTER_MS);
  }
}
