import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import 'uplot/dist/uPlot.min.css';
import { canvasIn, type Canvas } from './canvas.js';
import { attachGestures, viewByKey } from './gestures.js';
import type { Marked } from './marks.js';
import { Mover } from './mover.js';
import { readingOf } from './reading.js';
import type { Line } from './series.js';
import type { View } from './view.js';
import classes from './plot.module.css';

export interface PlotProps {
  readonly line: Line;
  readonly value: string;
  /** What it shows, in words. */
  readonly label: string;
  /** Where it looks, unless it is being moved. */
  readonly view: View;
  readonly whole: View;
  /** Ranges that have a note. */
  readonly marks: readonly Marked[];
  /** Where it looks now, told now and then while it is moved. */
  readonly onPass: (view: View) => void;
  readonly onRest: (view: View) => void;
}

/** Where the point under the pointer is told, as long as there is none. */
const HINT = msg`Drag to move, scroll or pinch to zoom, double-click to see everything.`;

/** A plot that is moved by hand. What it is given is drawn at once; what lies beyond is the caller's to bring. */
export function Plot(props: PlotProps): ReactNode {
  const { line, value, label, view, whole, marks } = props;
  const { ref, width } = useElementSize();
  const place = useRef<HTMLDivElement>(null);
  const reading = useRef<HTMLParagraphElement>(null);
  const latest = useLatest(props);
  const drawn = useRef<{ readonly canvas: Canvas; readonly mover: Mover } | null>(null);
  const scheme = useComputedColorScheme('light');
  const isWide = width > 0;
  useEffect(() => {
    if (place.current === null || !isWide) return;
    const told = (point: number | null): void => {
      if (reading.current !== null) reading.current.textContent = readingOf(latest.current.line, point) ?? i18n._(HINT);
    };
    const canvas = canvasIn(place.current, { ...latest.current, width, onPoint: told });
    const mover = new Mover(latest.current.view, whole, {
      draw: canvas.look,
      passes: (passed) => {
        latest.current.onPass(passed);
      },
      rests: (rested) => {
        latest.current.onRest(rested);
      },
    });
    const detach = attachGestures({ element: canvas.element, mover, whole, mark: canvas.mark });
    drawn.current = { canvas, mover };
    return () => {
      drawn.current = null;
      mover.end();
      detach();
      canvas.destroy();
    };
    // The line, the view and a new width come below.
  }, [value, scheme, isWide, whole, latest]);
  useEffect(() => {
    drawn.current?.canvas.setLine(line);
  }, [line]);
  useEffect(() => {
    drawn.current?.mover.jumpTo(view);
  }, [view]);
  useEffect(() => {
    drawn.current?.canvas.setMarks(marks);
  }, [marks]);
  useEffect(() => {
    if (width > 0) drawn.current?.canvas.setWidth(width);
  }, [width]);
  function press(event: KeyboardEvent): void {
    const mover = drawn.current?.mover;
    if (mover === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = viewByKey(mover.view, whole, event.nativeEvent);
    if (next === null) return;
    event.preventDefault();
    mover.moveTo(next);
  }
  return (
    <div ref={ref} className={classes.frame}>
      <p ref={reading} className={classes.reading} aria-hidden>
        {i18n._(HINT)}
      </p>
      {/* Arrow keys reach it past a screen reader; what they do is in its name, and there are buttons for the same. */}
      <div
        role="application"
        tabIndex={0}
        className={classes.field}
        aria-label={t`Plot of ${value}: left and right move, up and down zoom, 0 shows everything`}
        onKeyDown={press}
      >
        <div ref={place} role="img" aria-label={label} />
      </div>
    </div>
  );
}

/** The newest of something that changes, for what lives longer. */
function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}
