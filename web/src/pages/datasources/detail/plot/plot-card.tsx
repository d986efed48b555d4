import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Anchor, Loader, Skeleton, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react';
import { figure, rowTime } from '../../../../shared/format.js';
import { LOCALE } from '../../../../shared/language.js';
import { IconChartDots } from '../../../../ui/icons.js';
import { Empty, Failure } from '../../../../ui/states.js';
import type { Marked } from './marks.js';
import type { Plot, PlotProps } from './plot.js';
import { bucketIn, joined, seenIn, type Seen, type Series } from './series.js';
import type { PlottedLine } from './series.queries.js';
import { useSeries } from './use-series.js';
import type { View } from './view.js';
import classes from './plot-card.module.css';

let loaded: typeof Plot | null = null;
// Begun with the page's own code, so that it is there when the first points are.
const loading = import('./plot.js').then((module) => {
  loaded = module.Plot;
  return { default: module.Plot };
});
const PlotToCome = lazy(() => loading);

/** The plot itself when it is there already: what React has to wait for, however shortly, it shows a third of a second later. */
function Drawing(props: PlotProps): ReactNode {
  const [Part] = useState(() => loaded ?? PlotToCome);
  return (
    <Suspense fallback={<Waiting />}>
      <Part {...props} />
    </Suspense>
  );
}

interface PlotCardProps {
  readonly line: PlottedLine;
  readonly view: View;
  readonly whole: View;
  readonly marks: readonly Marked[];
  /** The reader has moved the plot there. */
  readonly onRest: (view: View) => void;
}

/** A line that is loaded where the reader looks. Made anew for another line. */
export function PlotCard({ line: of, view, whole, marks, onRest }: PlotCardProps): ReactNode {
  // Where it is on its way to; null: at rest.
  const [passed, setPassed] = useState<View | null>(null);
  const { series, isLoading, error, retry } = useSeries(of, { view: passed ?? view, whole });
  const line = useMemo(() => joined(series), [series]);
  if (series.length === 0 || series.find(isEverything)?.total === 0)
    return (
      <div className={classNames}>
        {series.length > 0 ? <NoValues of={of} /> : <Nothing error={error} onRetry={retry} />}
      </div>
    );
  const bucket = bucketIn(series, view);
  const seen = seenIn(line, view, bucket);
  return (
    <div className={classNames}>
      <Stack gap="xs">
        <Drawing
          line={line}
          value={of.value}
          label={labelOf(of, seen)}
          view={view}
          whole={whole}
          marks={marks}
          onPass={setPassed}
          onRest={(rested) => {
            setPassed(null);
            onRest(rested);
          }}
        />
        <Caption bucket={line.isBand ? bucket : 0} view={view} seen={seen} />
      </Stack>
      <Text size="sm" c="dimmed" component="div" className={classes.doing}>
        {error !== null ? <NoDetail onRetry={retry} /> : isLoading && <LoadingDetail />}
      </Text>
    </div>
  );
}

const classNames = `card ${classes.card ?? ''}`;

function Nothing({ error, onRetry }: { readonly error: Error | null; readonly onRetry: () => void }): ReactNode {
  if (error === null) return <Waiting />;
  return <Failure error={error} onRetry={onRetry} title={t`This can’t be plotted`} />;
}

function NoValues({ of: { asset } }: { readonly of: PlottedLine }): ReactNode {
  return (
    <Empty icon={IconChartDots} title={t`No values`}>
      {asset === '' ? t`This column is empty.` : t`There are no values for ${asset}.`}
    </Empty>
  );
}

function LoadingDetail(): ReactNode {
  return (
    <>
      <Loader size={14} aria-hidden />
      {t`Loading detail…`}
    </>
  );
}

/** What was loaded before is still there. */
function NoDetail({ onRetry }: { readonly onRetry: () => void }): ReactNode {
  return (
    <span role="alert">
      <Trans>
        More detail could not be loaded.{' '}
        <Anchor component="button" size="sm" onClick={onRetry}>
          Try again
        </Anchor>
      </Trans>
    </span>
  );
}

function isEverything({ of }: Series): boolean {
  return of.from === -Infinity;
}

/** As high as what comes. */
function Waiting(): ReactNode {
  return <Skeleton h={430} />;
}

/** For those who can't see it. */
function labelOf({ value, asset }: PlottedLine, seen: Seen | null): string {
  const what = asset === '' ? value : t`${value} of ${asset}`;
  if (seen === null) return t`${what}: no values here`;
  const { from, to, lowest, highest } = seen;
  return t`${what} from ${timeOf(from)} to ${timeOf(to)}: between ${figure(lowest)} and ${figure(highest)}`;
}

function timeOf(ms: number): string {
  return rowTime(new Date(ms).toISOString());
}

interface CaptionProps {
  /** In milliseconds; 0: no point is of several rows. */
  readonly bucket: number;
  readonly view: View;
  readonly seen: Seen | null;
}

/** What is seen, told to those who listen whenever it comes to rest. */
function Caption({ bucket, view, seen }: CaptionProps): ReactNode {
  if (seen === null)
    return (
      <Text size="sm" role="status">
        {t`No values from ${timeOf(view.from)} to ${timeOf(view.to)}.`}
      </Text>
    );
  return (
    <Text size="sm" role="status" className="numbers">
      <Trans>
        <Plural value={seen.rows} one="# value" other="# values" /> from {timeOf(seen.from)} to {timeOf(seen.to)} (UTC),
        between {figure(seen.lowest)} and {figure(seen.highest)}.
      </Trans>{' '}
      {bucket > 0 && t`The line shows the mean, the band the lowest and highest value in every ${stretch(bucket)}.`}
    </Text>
  );
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

function stretch(ms: number): string {
  const [unit, length] = UNITS.find(([, each]) => ms >= each) ?? ['millisecond', 1];
  const words = new Intl.NumberFormat(LOCALE, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 });
  return words.format(ms / length);
}
