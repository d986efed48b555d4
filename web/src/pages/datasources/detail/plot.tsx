import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { figure } from '../../../shared/format.js';
import type { Wire } from '../../../shared/wire.js';
import { alignedData, hasBand } from './plot-data.js';
import { rangeOf, type Range } from './ranges.js';
import classes from './plot.module.css';

interface PlotProps {
  readonly plot: Wire['PlotResponse'];
  readonly value: string;
  /** What it shows, in words. */
  readonly label: string;
  readonly onZoom: (range: Range | null) => void;
}

const HEIGHT = 400;

/** A line over time on a canvas, with a band from lowest to highest where several rows are one point. */
export function Plot({ plot, value, label, onZoom }: PlotProps): ReactNode {
  const { ref, width } = useElementSize();
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot | null>(null);
  const zoom = useRef(onZoom);
  const scheme = useComputedColorScheme('light');
  const data = useMemo(() => alignedData(plot), [plot]);
  const isBand = hasBand(plot);
  useEffect(() => {
    zoom.current = onZoom;
  });
  useEffect(() => {
    if (place.current === null || width === 0) return;
    const options = optionsOf({ value, isBand, width, colours: coloursOf(place.current) });
    const chart = new uPlot(
      {
        ...options,
        hooks: {
          setSelect: [
            (self) => {
              selected(self, zoom.current);
            },
          ],
        },
      },
      data,
      place.current,
    );
    chart.over.addEventListener('dblclick', () => {
      zoom.current(null);
    });
    drawn.current = chart;
    return () => {
      chart.destroy();
    };
    // `data` comes by setData below; a new width by setSize.
  }, [value, isBand, scheme, width === 0]);
  useEffect(() => {
    drawn.current?.setData(data);
  }, [data]);
  useEffect(() => {
    if (width > 0) drawn.current?.setSize({ width, height: HEIGHT });
  }, [width]);
  return (
    <div ref={ref} className={classes.frame}>
      <div ref={place} role="img" aria-label={label} />
    </div>
  );
}

/** A stretch was marked: it becomes the range. A click marks none. */
function selected(chart: uPlot, zoom: (range: Range) => void): void {
  const { left, width } = chart.select;
  if (width < 4) return;
  const from = chart.posToVal(left, 'x') * 1000;
  const to = chart.posToVal(left + width, 'x') * 1000;
  chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  if (to - from >= 1) zoom(rangeOf(from, to));
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

interface Drawing {
  readonly value: string;
  readonly isBand: boolean;
  readonly width: number;
  readonly colours: Colours;
}

function optionsOf({ value, isBand, width, colours }: Drawing): uPlot.Options {
  const shown = (_: uPlot, number: number | null): string => (number === null ? '—' : figure(number));
  const axis = {
    stroke: colours.text,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { stroke: colours.grid, width: 1 },
  };
  const edge = { stroke: 'transparent', points: { show: false }, value: shown };
  return {
    width,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 7 } },
    legend: { live: true },
    series: [
      { label: 'Time', value: (_, seconds) => momentOf(seconds) },
      {
        label: isBand ? `Mean of ${value}` : value,
        stroke: colours.line,
        width: 1.5,
        value: shown,
        points: { show: (self, _series, from, to) => to - from < self.width / 12, size: 5 },
      },
      ...(isBand
        ? [
            { ...edge, label: 'Lowest' },
            { ...edge, label: 'Highest' },
          ]
        : []),
    ],
    ...(isBand ? { bands: [{ series: [3, 2] as [number, number], fill: colours.band }] } : {}),
    axes: [axis, { ...axis, size: 64, values: (_, ticks) => ticks.map((tick) => figure(tick)) }],
  };
}

const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

function momentOf(seconds: number | null): string {
  return seconds === null ? '—' : MOMENT.format(new Date(seconds * 1000));
}
