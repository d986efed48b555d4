import type uPlot from 'uplot';
import type { View } from './view.js';

/** A range that has a note, in milliseconds. */
export interface Marked extends View {
  readonly id: string;
  readonly text: string;
}

/** Ranges with a note are shaded; a moment is a line. */
export function drawMarks(plot: uPlot, marks: readonly Marked[], colour: string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = colour;
  for (const { from, to } of marks) {
    const [left, right] = [from, to].map((ms) =>
      Math.min(Math.max(plot.valToPos(ms / 1000, 'x', true), bbox.left), bbox.left + bbox.width),
    );
    if (
      left === undefined ||
      right === undefined ||
      (left === right && (left === bbox.left || left === bbox.left + bbox.width))
    )
      continue;
    ctx.fillRect(left, bbox.top, Math.max(right - left, 2 * devicePixelRatio), bbox.height);
  }
  ctx.restore();
}
