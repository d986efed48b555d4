import type { Mover } from './mover.js';
import { panned, zoomed, type View } from './view.js';

/** What gestures are made on, and what marks a stretch there. */
interface Surface {
  readonly element: HTMLElement;
  readonly mover: Mover;
  readonly whole: View;
  /** A stretch that is being marked, in parts of the width; null: none. */
  readonly mark: (stretch: readonly [number, number] | null) => void;
}

const WHEEL_SPEED = 0.0018;
/** Browsers count the wheel's lines or pixels; a line is about so many. */
const LINE_HEIGHT = 16;
const LEAST_MARK = 0.005;

/**
 * Dragging moves, two fingers or the wheel zoom, with the shift key dragging marks a stretch to look closer at; a double click shows
 * everything. Returns what takes it all back.
 */
export function attachGestures(surface: Surface): () => void {
  const { element, mover, whole } = surface;
  const fingers = new Fingers(surface);
  const wheel = (event: WheelEvent): void => {
    const before = mover.view;
    mover.moveTo(wheeled(before, event, placeOf(element, event)));
    // Where there is nothing more to see the page may scroll.
    if (mover.view !== before) event.preventDefault();
  };
  const everything = (): void => {
    mover.moveTo(whole);
  };
  const down = (event: PointerEvent): void => {
    fingers.down(event);
  };
  const move = (event: PointerEvent): void => {
    fingers.move(event);
  };
  const up = (event: PointerEvent): void => {
    fingers.up(event);
  };
  element.addEventListener('wheel', wheel, { passive: false });
  element.addEventListener('dblclick', everything);
  element.addEventListener('pointerdown', down);
  element.addEventListener('pointermove', move);
  element.addEventListener('pointerup', up);
  element.addEventListener('pointercancel', up);
  return () => {
    element.removeEventListener('wheel', wheel);
    element.removeEventListener('dblclick', everything);
    element.removeEventListener('pointerdown', down);
    element.removeEventListener('pointermove', move);
    element.removeEventListener('pointerup', up);
    element.removeEventListener('pointercancel', up);
  };
}

/** 0 at the left edge, 1 at the right one. */
function placeOf(element: HTMLElement, { clientX }: { readonly clientX: number }): number {
  const { left, width } = element.getBoundingClientRect();
  return width === 0 ? 0 : (clientX - left) / width;
}

/** Sideways it moves; up and down, and with fingers pinched on a touchpad, it zooms. */
function wheeled(view: View, event: WheelEvent, place: number): View {
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_HEIGHT : 1;
  const [sideways, upwards] = [event.deltaX * unit, event.deltaY * unit];
  if (Math.abs(sideways) > Math.abs(upwards) && !event.ctrlKey) return panned(view, sideways / 1000);
  // A pinch is told in small steps.
  return zoomed(view, Math.exp(upwards * WHEEL_SPEED * (event.ctrlKey ? 6 : 1)), place);
}

interface Start {
  readonly view: View;
  /** Of the one pointer, or the middle of two. */
  readonly place: number;
  /** Between two; 0 with one. */
  readonly spread: number;
  readonly marks: boolean;
}

/** Pointers that are down on the plot: one drags, two pinch. Each time one comes or goes it begins anew from where the view is. */
class Fingers {
  private readonly places = new Map<number, number>();
  private start: Start | null = null;
  private marked: readonly [number, number] | null = null;

  constructor(private readonly surface: Surface) {}

  down(event: PointerEvent): void {
    if (event.button !== 0 || this.places.size === 2) return;
    this.surface.element.setPointerCapture(event.pointerId);
    this.places.set(event.pointerId, placeOf(this.surface.element, event));
    this.begin(event.shiftKey);
    this.surface.mover.hold(true);
  }

  move(event: PointerEvent): void {
    const { start } = this;
    if (start === null || !this.places.has(event.pointerId)) return;
    this.places.set(event.pointerId, placeOf(this.surface.element, event));
    const { place, spread } = this.now();
    if (start.marks) {
      this.mark(start.place, place);
      return;
    }
    const times = start.spread > 0 && spread > 0 ? start.spread / spread : 1;
    const moved = panned(start.view, start.place - place);
    this.surface.mover.moveTo(times === 1 ? moved : zoomed(moved, times, place));
  }

  up(event: PointerEvent): void {
    if (!this.places.delete(event.pointerId)) return;
    if (this.places.size > 0) {
      this.begin(false);
      return;
    }
    this.start = null;
    this.surface.mover.hold(false);
    this.lookAtMarked(event.type === 'pointercancel');
  }

  private begin(marks: boolean): void {
    this.start = { view: this.surface.mover.view, ...this.now(), marks };
  }

  private now(): Pick<Start, 'place' | 'spread'> {
    const [one = 0, other = one] = [...this.places.values()];
    return { place: (one + other) / 2, spread: Math.abs(other - one) };
  }

  private mark(from: number, to: number): void {
    const [left, right] = [Math.max(Math.min(from, to), 0), Math.min(Math.max(from, to), 1)];
    this.marked = [left, right];
    this.surface.mark(this.marked);
  }

  private lookAtMarked(isCancelled: boolean): void {
    const { marked, surface } = this;
    this.marked = null;
    surface.mark(null);
    if (marked === null || isCancelled || marked[1] - marked[0] < LEAST_MARK) return;
    const { from, to } = surface.mover.view;
    const [left, right] = marked.map((part) => from + part * (to - from));
    surface.mover.moveTo({ from: left ?? from, to: right ?? to });
  }
}

const STEP = 0.1;
const CLOSER = 1 / 1.5;

/** Where a key leads; null when it means nothing here. */
export function viewByKey(view: View, whole: View, { key, shiftKey }: KeyboardEvent): View | null {
  const step = shiftKey ? 1 : STEP;
  switch (key) {
    case 'ArrowLeft':
      return panned(view, -step);
    case 'ArrowRight':
      return panned(view, step);
    case 'ArrowUp':
    case '+':
    case '=':
      return zoomed(view, CLOSER, 0.5);
    case 'ArrowDown':
    case '-':
    case '_':
      return zoomed(view, 1 / CLOSER, 0.5);
    case 'Home':
      return panned(view, (whole.from - view.from) / (view.to - view.from));
    case 'End':
      return panned(view, (whole.to - view.to) / (view.to - view.from));
    case '0':
      return whole;
    default:
      return null;
  }
}
