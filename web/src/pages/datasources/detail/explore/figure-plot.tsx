import { plural, t } from '@lingui/core/macro';
import { Group, Text, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef, type ReactNode } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { figure, rowTime } from '../../../../shared/format.js';
import { drawMarks, type Marked } from '../plot/marks.js';
import { tickTexts } from '../plot/tick-texts.js';
import type { View } from '../plot/view.js';
import type { Draw, Drawn } from './figures.js';
import classes from './figure-plot.module.css';

interface FigurePlotProps {
  readonly title: string;
  /** What can be done with it, beside its title. */
  readonly action: ReactNode;
  readonly drawn: Drawn;
  readonly draw: Draw;
  /** The time that is looked at; null: it is not over time. */
  readonly view: View | null;
  readonly marks: readonly Marked[];
  /** The reader has chosen a range, or (null) wants everything. */
  readonly onZoom: (view: View | null) => void;
}

const HEIGHT = 280;
const TICK_SPACE = 90;
/** A brush of fewer pixels was a click. */
const LEAST_BRUSH = 5;
/** Parts of a step that its bars take together. */
const BARS = 0.8;
/** Places and widths of bars are values of the scale, not pixels. */
const OF_THE_SCALE = 1 as unknown as uPlot.Series.BarsPathBuilderFacetUnit.ScaleValue;

/** Figures as lines, bars or points. A range is chosen by dragging over it. */
export default function FigurePlot(props: FigurePlotProps): ReactNode {
  const { title, action, drawn, draw, view, marks } = props;
  const { ref, width } = useElementSize();
  const place = useRef<HTMLDivElement>(null);
  const reading = useRef<HTMLParagraphElement>(null);
  const zoom = useRef(props.onZoom);
  const scheme = useComputedColorScheme('light');
  useEffect(() => {
    zoom.current = props.onZoom;
  });
  useEffect(() => {
    if (place.current === null || width === 0) return;
    const told = (index: number | null): void => {
      if (reading.current !== null) reading.current.textContent = readingOf(drawn, view, index);
    };
    const chart = new uPlot(
      optionsOf({
        ...{ drawn, draw, view, marks, width },
        colours: coloursOf(place.current),
        told,
        zoomed: (to) => {
          zoom.current(to);
        },
      }),
      [[...drawn.at], ...drawn.series.map(({ values }) => [...values])],
      place.current,
    );
    const all = (): void => {
      zoom.current(null);
    };
    if (view !== null) chart.over.addEventListener('dblclick', all);
    told(null);
    return () => {
      chart.destroy();
    };
  }, [drawn, draw, view, marks, width, scheme]);
  return (
    <section className={`card ${classes.card ?? ''}`} aria-label={title}>
      <Group justify="space-between" gap="xs">
        <Text fw={600}>{title}</Text>
        {action}
      </Group>
      <p ref={reading} className={classes.reading} aria-hidden />
      <div ref={ref}>
        <div ref={place} role="img" aria-label={labelOf(title, drawn)} />
      </div>
      {drawn.series.length > 1 && <Legend drawn={drawn} />}
    </section>
  );
}

function Legend({ drawn }: { readonly drawn: Drawn }): ReactNode {
  return (
    <Group gap="md" component="ul" className={classes.legend}>
      {drawn.series.map(({ name }, at) => (
        <li key={name}>
          <span className={classes.swatch} style={{ background: `var(${tokenOf(at)})` }} />
          <Text size="sm" component="span">
            {name}
          </Text>
        </li>
      ))}
    </Group>
  );
}

function tokenOf(at: number): string {
  return `--series-${String((at % 10) + 1)}`;
}

function readingOf({ at, series, names }: Drawn, view: View | null, index: number | null): string {
  const where = index === null ? undefined : at[index];
  if (index === null || where === undefined)
    return view === null ? '\u00a0' : t`Drag to zoom, double-click for everything.`;
  const head = names?.[index] ?? (view === null ? figure(where) : rowTime(new Date(where * 1000).toISOString()));
  const values = series.flatMap(({ name, values: line }) => {
    const value = line[index];
    return typeof value === 'number' ? [name === '' ? figure(value) : `${name} ${figure(value)}`] : [];
  });
  return `${head}: ${values.length === 0 ? t`no value` : values.join(' · ')}`;
}

/** For those who can't see it. */
function labelOf(title: string, { series }: Drawn): string {
  const values = series.flatMap(({ values: line }) => line.filter((value) => value !== null));
  if (values.length === 0) return t`${title}: no values`;
  const low = figure(values.reduce((least, value) => Math.min(least, value), Infinity));
  const high = figure(values.reduce((most, value) => Math.max(most, value), -Infinity));
  if (series.length < 2) return t`${title}: between ${low} and ${high}`;
  const lines = plural(series.length, { one: '# series', other: '# series' });
  return t`${title}, ${lines}: between ${low} and ${high}`;
}

interface Colours {
  readonly text: string;
  readonly grid: string;
  readonly band: string;
  readonly of: (series: number) => string;
}

function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  return { text: token('--quiet'), grid: token('--line'), band: token('--chart-band'), of: (at) => token(tokenOf(at)) };
}

interface Options extends Pick<FigurePlotProps, 'drawn' | 'draw' | 'view' | 'marks'> {
  readonly width: number;
  readonly colours: Colours;
  readonly told: (index: number | null) => void;
  readonly zoomed: (view: View | null) => void;
}

function optionsOf({ drawn, draw, view, marks, width, colours, told, zoomed }: Options): uPlot.Options {
  const axis = {
    stroke: colours.text,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { stroke: colours.grid, width: 1 },
  };
  const isTime = view !== null && draw !== 'scatter';
  const step = stepOf(drawn.at);
  return {
    ...{ width, height: HEIGHT },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: {
      drag: { x: isTime, y: false, setScale: false },
      points: { size: 7 },
      ...(isTime ? { sync: { key: 'explored' } } : {}),
    },
    legend: { show: false },
    padding: [8, TICK_SPACE / 2, null, null],
    scales: { x: { time: isTime, ...rangeOf(drawn, draw, step) }, y: { range: heightsOf(draw) } },
    series: [
      {},
      ...drawn.series.map((_, at) => seriesOf(draw, { at, of: drawn.series.length, step, colour: colours.of(at) })),
    ],
    axes: [
      {
        ...axis,
        space: TICK_SPACE,
        ...(drawn.names === undefined ? {} : { splits: () => [...drawn.at] }),
        values: (_self, ticks, _axis, _space, apart) => {
          if (drawn.names !== undefined)
            return ticks.map((tick) => shortened(drawn.names?.[tick] ?? '', width, ticks.length));
          return isTime ? tickTexts(ticks, apart) : ticks.map((tick) => figure(tick));
        },
      },
      { ...axis, size: 64, values: (_self, ticks) => ticks.map((tick) => figure(tick)) },
    ],
    hooks: {
      setCursor: [
        ({ cursor }) => {
          told(cursor.idx ?? null);
        },
      ],
      setSelect: [
        (self) => {
          const { left, width: wide } = self.select;
          if (wide >= LEAST_BRUSH)
            zoomed({ from: self.posToVal(left, 'x') * 1000, to: self.posToVal(left + wide, 'x') * 1000 });
          self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
      drawClear: [
        (self) => {
          if (isTime) drawMarks(self, marks, colours.band);
        },
      ],
    },
  };
}

/** The shortest distance between neighbours. */
function stepOf(at: readonly number[]): number {
  return at.slice(1).reduce((least, time, place) => Math.min(least, time - (at[place] ?? time)), Infinity);
}

function rangeOf({ at }: Drawn, draw: Draw, step: number): { readonly range: uPlot.Range.MinMax } | object {
  const [first = 0, last = 1] = [at[0], at.at(-1)];
  if (draw === 'scatter') return {};
  const one = Number.isFinite(step) ? step : 1;
  if (draw === 'bar') return { range: [first - one / 2, last + one / 2] };
  return first === last ? { range: [first - one, last + one] } : { range: [first, last] };
}

function heightsOf(draw: Draw): uPlot.Range.Function {
  return (_self, low: number | null, high: number | null) => {
    if (low === null || high === null) return [0, 1];
    const room = high > low ? (high - low) * 0.06 : Math.abs(high) * 0.06 || 1;
    return draw === 'bar'
      ? [Math.min(0, low - (low < 0 ? room : 0)), Math.max(0, high + room)]
      : [low - room, high + room];
  };
}

interface SeriesPlace {
  readonly at: number;
  readonly of: number;
  readonly step: number;
  readonly colour: string;
}

function seriesOf(draw: Draw, { at, of, step, colour }: SeriesPlace): uPlot.Series {
  switch (draw) {
    case 'line':
      return {
        stroke: colour,
        width: 1.5,
        points: { show: (self, _series, from, to) => to - from < self.width / 12, size: 5 },
      };
    case 'scatter':
      return { stroke: colour, paths: () => null, points: { show: true, size: 6, fill: colour } };
    case 'bar': {
      const wide = ((Number.isFinite(step) ? step : 1) * BARS) / of;
      const paths = uPlot.paths.bars?.({
        disp: {
          x0: { unit: OF_THE_SCALE, values: (self) => [...self.data[0]].map((x) => x + wide * (at - of / 2)) },
          size: { unit: OF_THE_SCALE, values: () => [wide] },
        },
      });
      return {
        stroke: colour,
        fill: colour,
        width: 0,
        points: { show: false },
        ...(paths === undefined ? {} : { paths }),
      };
    }
  }
}

/** As much of a name as there is room for. */
function shortened(name: string, width: number, of: number): string {
  const most = Math.max(3, Math.floor(width / Math.max(of, 1) / 8));
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}
