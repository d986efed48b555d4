import { t } from '@lingui/core/macro';
import { Alert, Skeleton, Text, useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { signOf } from '../../shared/format.js';
import classes from './answer.module.css';
import { LOCALE } from '../../shared/language.js';

type Chart = Readonly<Record<string, unknown>>;

interface AnswerChartProps {
  readonly chart: Chart;
  readonly label: string;
  /** As high as its place, which has the title already. */
  readonly fills?: boolean;
}

/** A Vega-Lite chart that can be pointed at. Drawn by the interpreter, since the page allows no code that is made at run time. */
export default function AnswerChart({ chart, label, fills = false }: AnswerChartProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  const [state, setState] = useState<'drawing' | 'drawn' | 'failed'>('drawing');
  useEffect(() => {
    if (place.current === null) return;
    // A place of its own each time: one that is given up may still be drawn into.
    const element = document.createElement('div');
    element.className = classes.plot ?? '';
    place.current.append(element);
    let isOver = false;
    let finalize = (): void => undefined;
    setState('drawing');
    drawn(element, fills ? filling(chart, place.current.clientHeight) : chart, scheme === 'dark').then(
      (end) => {
        finalize = end;
        if (isOver) end();
        else setState('drawn');
      },
      () => {
        if (!isOver) setState('failed');
      },
    );
    return () => {
      isOver = true;
      finalize();
      element.remove();
    };
  }, [chart, scheme, fills]);
  if (state === 'failed')
    return <Alert color="yellow">{t`The chart could not be drawn. The table below is complete.`}</Alert>;
  return (
    <div className={fills ? classes.filling : classes.chart} data-drawing={state === 'drawing'}>
      <Heading chart={chart} isTold={fills} />
      {state === 'drawing' && <Skeleton className={classes.waiting} />}
      {/* Never hidden: a chart is as wide as its place. */}
      <div ref={place} role="img" aria-label={label} className={classes.place} />
    </div>
  );
}

/** The chart's title as text of the page, which breaks where there is no room; in the picture it could not. */
function Heading({ chart: { title }, isTold }: { readonly chart: Chart; readonly isTold: boolean }): ReactNode {
  const { text, subtitle } = (title ?? {}) as { readonly text?: unknown; readonly subtitle?: unknown };
  if (isTold && subtitle === undefined) return null;
  return (
    <div className={classes.heading}>
      {!isTold && (
        <Text fw={600} size="sm">
          {wordsOf(text)}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {wordsOf(subtitle)}
      </Text>
    </div>
  );
}

/** Bars and cells that would be too thin to read are scrolled instead. */
const MOST_SQUEEZED = 2;

function filling(chart: Chart, room: number): Chart {
  const { height } = chart;
  if (typeof height !== 'number' || height >= room * MOST_SQUEEZED) return chart;
  const round = (name: string, value: unknown): unknown =>
    RADII.includes(name) && typeof value === 'number'
      ? // oxlint-disable-next-line lingui/no-unlocalized-strings -- an expression of Vega's
        { expr: `min(width, height) * ${String(value / height)}` }
      : value;
  return { ...(changed(chart, round) as Chart), height: 'container' };
}

/** Of rings and their labels, which are as large as there is room. */
const RADII: readonly string[] = ['innerRadius', 'outerRadius', 'radius'];

function wordsOf(lines: unknown): string {
  return Array.isArray(lines) ? lines.join(' ') : typeof lines === 'string' ? lines : '';
}

/** Of Vega's levels of logging. */
const ERRORS = 1;

async function drawn(element: HTMLElement, chart: Chart, isDark: boolean): Promise<() => void> {
  const [{ default: embed }, { expressionInterpreter }] = await Promise.all([
    import('vega-embed'),
    import('vega-interpreter'),
  ]);
  const room = (): string => roomOf(element, chart);
  let drawnIn = room();
  const { finalize } = await embed(element, onThisGround(inRoom(chart, element.clientWidth), isDark), {
    actions: false,
    // Warnings are for who writes charts.
    logLevel: ERRORS,
    renderer: 'svg',
    ast: true,
    expr: expressionInterpreter,
    defaultStyle: false,
    tooltip: { disableDefaultStyle: true },
    formatLocale: numberLocale(),
    timeFormatLocale: timeLocale(),
  });
  // Its place has a name; what is inside would be read out mark by mark.
  element.querySelector('svg')?.setAttribute('aria-hidden', 'true');
  // Vega hears of the window alone; the place changes without it, too, and while the chart is being drawn.
  const observer = new ResizeObserver(() => {
    if (room() === drawnIn) return;
    drawnIn = room();
    // Everything on the page hears of it, each other chart too.
    window.dispatchEvent(new Event('resize'));
  });
  observer.observe(element);
  return () => {
    observer.disconnect();
    finalize();
  };
}

/** How large the place is that a chart is fitted into; one that has a height of its own makes its place as high. */
function roomOf({ clientWidth, clientHeight }: HTMLElement, { height }: Chart): string {
  return `${String(clientWidth)} ${height === 'container' ? String(clientHeight) : ''}`;
}

/** Beside the plot, and of one letter of its names, in pixels. */
const BESIDE = 60;
const LETTER = 6.5;

/** Bars that were made for a wide picture would lie on each other in a narrow one. */
function inRoom(chart: Chart, room: number): Chart {
  const plot = room - BESIDE;
  const squeezed = typeof chart.width === 'number' ? Math.min(plot / chart.width, 1) : 1;
  const narrow = (name: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (name === 'mark' && 'width' in value && typeof value.width === 'number')
      return { ...value, width: value.width * squeezed };
    return name === 'x' ? readable(value, plot) : value;
  };
  return changed(chart, narrow) as Chart;
}

interface TextAxis {
  readonly scale?: { readonly domain?: unknown } | null;
  readonly axis?: { readonly labelAngle?: unknown } | null;
}

/** Names that would lie on each other in this room are tilted, as they are where a wide picture has too many. */
function readable(x: TextAxis, plot: number): TextAxis {
  const names = x.scale?.domain;
  if (x.axis?.labelAngle !== 0 || !Array.isArray(names)) return x;
  const longest = Math.max(...names.map((name) => String(name).length));
  const fits = (longest + 1) * LETTER <= plot / names.length;
  return fits ? x : { ...x, axis: { ...x.axis, labelAngle: -40 } };
}

/** How the reader's language writes numbers. */
function numberLocale() {
  return {
    decimal: signOf('decimal'),
    thousands: signOf('group'),
    grouping: [3],
    currency: ['', ''] as [string, string],
  };
}

/** Its names of days and months. */
function timeLocale() {
  const named = (options: Intl.DateTimeFormatOptions, dates: readonly Date[]): string[] => {
    const format = new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: 'UTC' });
    return dates.map((date) => format.format(date));
  };
  // The first of them is a Sunday.
  const days = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2023, 0, 1 + day)));
  const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2023, month, 1)));
  return {
    dateTime: dayFormat('%-d %B %Y, %H:%M'),
    date: dayFormat('%-d %B %Y'),
    time: '%H:%M',
    periods: ['AM', 'PM'] as [string, string],
    days: named({ weekday: 'long' }, days) as Week,
    shortDays: named({ weekday: 'short' }, days) as Week,
    months: named({ month: 'long' }, months) as Year,
    shortMonths: named({ month: 'short' }, months) as Year,
  };
}

type Week = [string, string, string, string, string, string, string];
type Year = [...Week, string, string, string, string, string];

const INK = {
  light: ['#1a1d24', '#5b6472', '#e3e6eb', '#ffffff'],
  dark: ['#dfe3ea', '#a0a8b6', '#2d323c', '#1c1f26'],
} as const;

/** As wide as there is room, without a ground of its own, its words in the colours of the page. */
function onThisGround(chart: Chart, isDark: boolean): Chart {
  const [ink, quiet, line, ground] = INK[isDark ? 'dark' : 'light'];
  const config = (chart.config ?? {}) as Chart;
  const merged = (name: string, more: Chart): Chart => ({ ...((config[name] ?? {}) as Chart), ...more });
  const axis = { labelColor: quiet, titleColor: quiet, gridColor: line, domainColor: line, tickColor: line };
  const { title: _heading, data, ...drawing } = chart;
  return {
    ...(changed(drawing, (name, value) => inkOf(name, value, ground)) as Chart),
    data,
    padding: 4,
    ...(typeof chart.width === 'number' ? { width: 'container' } : {}),
    background: 'transparent',
    autosize: { type: 'fit', contains: 'padding', resize: true },
    config: {
      ...config,
      background: 'transparent',
      padding: 4,
      axis: merged('axis', axis),
      legend: merged('legend', { labelColor: quiet, titleColor: quiet }),
      text: merged('text', { fill: ink }),
      view: merged('view', { stroke: 'transparent' }),
    },
  };
}

/** Lines of the grid, words and gaps between slices are coloured for a white ground, and days are written in English. */
function inkOf(name: string, value: unknown, ground: string): unknown {
  if (name === 'gridColor') return undefined;
  if (name === 'format' && typeof value === 'string') return dayFormat(value);
  if (name === 'stroke' && value === '#ffffff') return ground;
  return name === 'mark' && isTextMark(value) ? { ...value, color: undefined } : value;
}

function isTextMark(mark: unknown): mark is { readonly type: 'text' } {
  return typeof mark === 'object' && mark !== null && 'type' in mark && mark.type === 'text';
}

/** The specification with each of its fields changed but its rows, from the outermost inwards; those that are undefined go. */
function changed(part: unknown, change: (name: string, value: unknown) => unknown): unknown {
  if (Array.isArray(part)) return part.map((one) => changed(one, change));
  if (typeof part !== 'object' || part === null) return part;
  const fields = Object.entries(part).flatMap(([name, value]) => {
    const next = change(name, value);
    return next === undefined ? [] : [[name, name === 'data' ? next : changed(next, change)] as const];
  });
  return Object.fromEntries(fields);
}

/** The service writes `5 Mar`; German readers write `5. März`. */
function dayFormat(format: string): string {
  const [first, after] = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' }).formatToParts();
  return first?.type === 'day' ? format.replaceAll('%-d ', `%-d${after?.value ?? ' '}`) : format;
}
