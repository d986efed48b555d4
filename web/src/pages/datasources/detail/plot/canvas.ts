import uPlot from 'uplot';
import { figure } from '../../../../shared/format.js';
import type { Line } from './series.js';
import { drawMarks, type Marked } from './marks.js';
import { tickTexts } from './tick-texts.js';
import type { View } from './view.js';

interface Drawing {
  readonly width: number;
  readonly line: Line;
  readonly view: View;
  readonly marks: readonly Marked[];
  /** The point under the pointer, as its place in the line; null when it is nowhere. */
  readonly onPoint: (place: number | null) => void;
}

/** A line over time on a canvas, with a band from lowest to highest where several rows are one point. */
export interface Canvas {
  /** What pointers move over. */
  readonly element: HTMLElement;
  readonly setLine: (line: Line) => void;
  /** While it moves, what is seen may grow higher but not lower: a height that comes and goes with every frame makes dizzy. */
  readonly look: (view: View, isMoving: boolean) => void;
  readonly setMarks: (marks: readonly Marked[]) => void;
  readonly setWidth: (width: number) => void;
  readonly mark: (stretch: readonly [number, number] | null) => void;
  readonly destroy: () => void;
}

export const HEIGHT = 400;
/** Room around the highest and lowest value, in parts of what is between them. */
const MARGIN = 0.06;

export function canvasIn(place: HTMLElement, { width, line, view, marks, onPoint }: Drawing): Canvas {
  let now = view;
  let marked = marks;
  let isMoving = false;
  const colours = coloursOf(place);
  const shade = (self: uPlot): void => {
    drawMarks(self, marked, colours.band);
  };
  const chart = new uPlot(
    {
      ...optionsOf(colours),
      ...{ width, height: HEIGHT },
      scales: { x: { time: true, ...secondsOf(view) }, y: { range: heightsWhile(() => isMoving) } },
      hooks: { setCursor: [pointsTo(onPoint)], drawClear: [shade] },
    },
    dataOf(line),
    place,
  );
  const draw = (): void => {
    chart.setScale('x', secondsOf(now));
  };
  return {
    element: chart.over,
    setLine: (next) => {
      chart.batch(() => {
        chart.setData(dataOf(next), false);
        draw();
      });
    },
    look: (next, moving) => {
      [now, isMoving] = [next, moving];
      draw();
    },
    setMarks: (next) => {
      marked = next;
      chart.redraw(false);
    },
    setWidth: (next) => {
      chart.setSize({ width: next, height: HEIGHT });
    },
    mark: (stretch) => {
      chart.setSelect(selectOf(chart.over, stretch), false);
    },
    destroy: () => {
      chart.destroy();
    },
  };
}

function dataOf({ points }: Line): uPlot.AlignedData {
  const [times, ...columns] = points;
  return [times, ...columns];
}

function secondsOf({ from, to }: View): { readonly min: number; readonly max: number } {
  return { min: from / 1000, max: to / 1000 };
}

function pointsTo(onPoint: Drawing['onPoint']): (self: uPlot) => void {
  return ({ cursor }) => {
    onPoint(cursor.idx ?? null);
  };
}

/** From the lowest to the highest that is seen; while it moves no less than before. */
function heightsWhile(isMoving: () => boolean): uPlot.Range.Function {
  return (self, low: number | null, high: number | null) => {
    const wanted = heightsOf(low, high);
    const { min, max } = self.scales.y ?? {};
    if (!isMoving() || min === undefined || max === undefined) return wanted;
    return low === null ? [min, max] : [Math.min(min, wanted[0]), Math.max(max, wanted[1])];
  };
}

function heightsOf(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const room = high > low ? (high - low) * MARGIN : Math.abs(high) * MARGIN || 1;
  return [low - room, high + room];
}

function selectOf(
  { offsetWidth: width, offsetHeight: height }: HTMLElement,
  stretch: readonly [number, number] | null,
) {
  if (stretch === null) return { left: 0, top: 0, width: 0, height: 0 };
  const [from, to] = stretch;
  return { left: from * width, top: 0, width: (to - from) * width, height };
}

interface Colours {
  readonly line: string;
  readonly band: string;
  readonly text: string;
  readonly grid: string;
}

function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  return { line: token('--chart'), band: token('--chart-band'), text: token('--quiet'), grid: token('--line') };
}

/** So many pixels are between ticks at least: a date with its year, as wide as a language has it, fits in. */
const TICK_SPACE = 90;

/** So many pixels a point has at least, where each is shown as one. */
const ROOMY = 12;

function optionsOf(colours: Colours): Omit<uPlot.Options, 'width' | 'height'> {
  const axis = {
    stroke: colours.text,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { stroke: colours.grid, width: 1 },
  };
  const edge = { stroke: 'transparent', width: 0, points: { show: false } };
  return {
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: { drag: { x: false, y: false, setScale: false }, points: { size: 7 } },
    legend: { show: false },
    // At the right, half of the last tick's text.
    padding: [null, TICK_SPACE / 2, null, null],
    series: [
      {},
      {
        stroke: colours.line,
        width: 1.5,
        points: { show: (self, _series, from, to) => to - from < self.width / ROOMY, size: 5 },
      },
      edge,
      edge,
    ],
    bands: [{ series: [3, 2], fill: colours.band }],
    axes: [
      { ...axis, space: TICK_SPACE, values: (_, ticks, _axis, _space, step) => tickTexts(ticks, step) },
      { ...axis, size: 64, values: (_, ticks) => ticks.map((tick) => figure(tick)) },
    ],
  };
}
