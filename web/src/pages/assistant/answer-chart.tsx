import { Alert, Skeleton, Text, useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import classes from './answer.module.css';

type Chart = Readonly<Record<string, unknown>>;

/** A Vega-Lite chart that can be pointed at. Drawn by the interpreter, since the page allows no code that is made at run time. */
export default function AnswerChart({ chart, label }: { readonly chart: Chart; readonly label: string }): ReactNode {
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
    drawn(element, chart, scheme === 'dark').then(
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
  }, [chart, scheme]);
  if (state === 'failed')
    return <Alert color="yellow">The chart could not be drawn. The figures below are whole.</Alert>;
  return (
    <div className={classes.chart} data-drawing={state === 'drawing'}>
      <Heading chart={chart} />
      {state === 'drawing' && <Skeleton className={classes.waiting} />}
      {/* Never hidden: a chart is as wide as its place. */}
      <div ref={place} role="img" aria-label={label} />
    </div>
  );
}

/** The chart's title as text of the page, which breaks where there is no room; in the picture it could not. */
function Heading({ chart: { title } }: { readonly chart: Chart }): ReactNode {
  const { text, subtitle } = (title ?? {}) as { readonly text?: unknown; readonly subtitle?: unknown };
  return (
    <div className={classes.heading}>
      <Text fw={600} size="sm">
        {wordsOf(text)}
      </Text>
      <Text size="sm" c="dimmed">
        {wordsOf(subtitle)}
      </Text>
    </div>
  );
}

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
  const { finalize } = await embed(element, onThisGround(chart, isDark), {
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
  return finalize;
}

/** How the reader's language writes numbers. */
function numberLocale() {
  const parts = new Intl.NumberFormat(undefined, { useGrouping: true }).formatToParts(1_234_567.8);
  const sign = (type: Intl.NumberFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? '';
  return {
    decimal: sign('decimal') || '.',
    thousands: sign('group'),
    grouping: [3],
    currency: ['', ''] as [string, string],
  };
}

/** Its names of days and months. */
function timeLocale() {
  const named = (options: Intl.DateTimeFormatOptions, dates: readonly Date[]): string[] => {
    const format = new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' });
    return dates.map((date) => format.format(date));
  };
  // The first of them is a Sunday.
  const days = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2023, 0, 1 + day)));
  const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2023, month, 1)));
  return {
    dateTime: '%-d %B %Y, %H:%M',
    date: '%-d %B %Y',
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

const INK = { light: ['#1a1d24', '#5b6472', '#e3e6eb'], dark: ['#dfe3ea', '#a0a8b6', '#2d323c'] } as const;

/** As wide as there is room, without a ground of its own, its words in the colours of the page. */
function onThisGround(chart: Chart, isDark: boolean): Chart {
  const [ink, quiet, line] = INK[isDark ? 'dark' : 'light'];
  const config = (chart.config ?? {}) as Chart;
  const merged = (name: string, more: Chart): Chart => ({ ...((config[name] ?? {}) as Chart), ...more });
  const axis = { labelColor: quiet, titleColor: quiet, gridColor: line, domainColor: line, tickColor: line };
  const { title: _heading, data, ...drawing } = chart;
  return {
    ...(withoutGridColors(drawing) as Chart),
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

/** Lines of the grid are coloured for a white ground; the configuration knows the ground there is. */
function withoutGridColors(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutGridColors);
  if (typeof part !== 'object' || part === null) return part;
  const kept = Object.entries(part).filter(([name]) => name !== 'gridColor');
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutGridColors(value)]));
}
