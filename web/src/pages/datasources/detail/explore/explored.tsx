import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { MultiSelect, Select, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, type ReactNode } from 'react';
import { api, call } from '../../../../app/client.js';
import { whole as count } from '../../../../shared/format.js';
import { keys } from '../../../../shared/keys.js';
import type { ColumnSummary, Datasource, Wire } from '../../../../shared/wire.js';
import { IconChartDots } from '../../../../ui/icons.js';
import { Empty, Failure } from '../../../../ui/states.js';
import type { Marked } from '../plot/marks.js';
import { PinButton } from '../../../boards/pin-button.js';
import { rangeOf, type Range } from '../ranges.js';
import type { DatasourceSearch, RowFilter } from '../search.js';
import {
  drawnOf,
  FIGURES,
  figuresPlan,
  grainFor,
  GRAINS,
  grainsFor,
  groupsPlan,
  labelsOf,
  measuresOf,
  MOST_FIGURES,
  MOST_SERIES,
  pointsOf,
  type Draw,
  type Drawn,
  type Grain,
  type Wanted,
} from './figures.js';
import classes from '../explore-tab.module.css';

const FigurePlot = lazy(() => import('./figure-plot.js'));

interface ExploredProps {
  readonly datasource: Datasource;
  readonly summary: Wire['SummaryView'];
  readonly search: DatasourceSearch & { readonly draw: Draw };
  /** From the first to the last row. */
  readonly all: Range;
  readonly marks: readonly Marked[];
  readonly look: (at: Partial<DatasourceSearch>) => void;
}

/** Figures of groups of rows over time: several, by group, in steps. What is drawn is a plan. */
export function Explored(props: ExploredProps): ReactNode {
  const { datasource, search, all, marks, look } = props;
  const { wanted, length } = wantedOf(props);
  const hasGroups = wanted.split !== null && wanted.time !== null;
  const groups = useQuery({ ...figuresQuery(datasource.id, wanted, groupsPlan), enabled: hasGroups });
  const chosen = hasGroups ? onlyGroups(wanted, groups.data?.page) : wanted;
  const result = useQuery({
    ...figuresQuery(datasource.id, chosen ?? wanted, figuresPlan),
    enabled: chosen !== null,
    placeholderData: keepPreviousData,
  });
  const { from, to } = shownOf(search, all);
  const hasTimeAxis = wanted.time !== null && search.draw !== 'scatter';
  const view = useMemo(
    () => (hasTimeAxis ? { from: Date.parse(from), to: Date.parse(to) } : null),
    [hasTimeAxis, from, to],
  );
  // Drawn as it was asked for: what comes next is not there yet.
  const { data } = result;
  const pictures = useMemo(() => (data === undefined ? [] : picturesOf(data, search.draw)), [data, search.draw]);
  return (
    <Stack gap="md">
      <Controls {...props} wanted={wanted} length={length} />
      <State error={groups.error ?? result.error} rows={data?.page.rows.length} onRetry={() => void result.refetch()} />
      {pictures.map(({ title, drawn, pin }) => (
        <Suspense key={title} fallback={<Skeleton h={340} />}>
          <FigurePlot
            {...{ title, drawn, view, marks, draw: search.draw }}
            action={<PinButton pinned={{ ...pin, datasource_id: datasource.id, title }} />}
            onZoom={(next) => {
              look(next === null ? { from: '', to: '' } : rangeOf(next.from, next.to));
            }}
          />
        </Suspense>
      ))}
      <Told wanted={wanted} columns={props.summary.columns} total={data?.page.total ?? 0} />
    </Stack>
  );
}

interface StateProps {
  readonly error: Error | null;
  readonly rows: number | undefined;
  readonly onRetry: () => void;
}

/** What there is to say where there is nothing to draw. */
function State({ error, rows, onRetry }: StateProps): ReactNode {
  if (error !== null)
    return <Failure error={error} title={t`These figures could not be calculated`} onRetry={onRetry} />;
  if (rows === undefined) return <Skeleton h={340} />;
  if (rows > 0) return null;
  return (
    <Empty icon={IconChartDots} title={t`No rows`}>
      {t`No rows match the filters and the period.`}
    </Empty>
  );
}

interface Asked {
  readonly wanted: Wanted;
  readonly page: Wire['QueryResponse'];
}

function figuresQuery(id: string, wanted: Wanted, planOf: (wanted: Wanted) => Record<string, unknown>) {
  const plan = planOf(wanted);
  return queryOptions({
    queryKey: keys.figures(id, plan),
    queryFn: async ({ signal }): Promise<Asked> => {
      const body = { datasource_id: id, plan, limit: MOST_FIGURES };
      return { wanted, page: await call(api.POST('/api/v1/secure/data/query', { body, signal })) };
    },
    staleTime: 60_000,
  });
}

interface Picture {
  readonly title: string;
  readonly drawn: Drawn;
  /** The same for a board. */
  readonly pin: { readonly plan: Record<string, unknown>; readonly chart: NonNullable<Wire['PinBody']['chart']> };
}

function titleOf(measure: Wanted['measures'][number] | undefined): string {
  const column = measure?.column ?? '';
  switch (measure?.aggregate) {
    case 'sum':
      return t`Total of ${column}`;
    case 'avg':
      return t`Average of ${column}`;
    case 'min':
      return t`Lowest of ${column}`;
    case 'max':
      return t`Highest of ${column}`;
    case 'median':
      return t`Median of ${column}`;
    case 'count':
    case undefined:
      return t`Number of rows`;
  }
}

function againstWords(one: Wanted['measures'][number], other: Wanted['measures'][number]): string {
  const [up, across] = [titleOf(one), titleOf(other)];
  return t`${up} against ${across}`;
}

function picturesOf({ wanted, page }: Asked, draw: Draw): readonly Picture[] {
  if (page.rows.length === 0) return [];
  const drawn = drawnOf(page, wanted, t`(empty)`);
  const labels = labelsOf(wanted);
  const series = wanted.split === null ? null : labels.split;
  const [first, second] = wanted.measures;
  if (draw === 'scatter' && first !== undefined && second !== undefined) {
    const chart = { kind: draw, x: first.label, y: second.label, series };
    return [{ title: againstWords(second, first), drawn: pointsOf(drawn), pin: { plan: figuresPlan(wanted), chart } }];
  }
  return wanted.measures.flatMap((measure, at) => {
    const one = drawn[at];
    if (one === undefined) return [];
    const groups = wanted.time === null ? null : series;
    const kind = draw === 'line' ? draw : groups === null ? 'bar' : 'grouped_bar';
    const chart = {
      kind,
      x: wanted.time === null ? labels.split : labels.time,
      y: measure.label,
      series: groups,
    } as const;
    const plan = figuresPlan({ ...wanted, measures: [measure] });
    return [{ title: titleOf(measure), drawn: one, pin: { plan, chart } }];
  });
}

/** What is left out of the picture, and how its figures came about. */
function Told({
  wanted,
  columns,
  total,
}: {
  readonly wanted: Wanted;
  readonly columns: readonly ColumnSummary[];
  readonly total: number;
}): ReactNode {
  const { split, measures, time } = wanted;
  const different = columns.find(({ name }) => name === split)?.distinct_count ?? 0;
  const [first] = measures;
  const by = first === undefined ? '' : titleOf(first);
  const step = time === null ? '' : i18n._(GRAIN_NAMES[time.grain]);
  const [groups, most, all] = [count(different), count(MOST_FIGURES), count(total)];
  const told = [
    ...(time === null ? [] : [t`One point for each ${step}, in UTC.`]),
    ...(different > MOST_SERIES ? [t`Of ${groups} groups the ${MOST_SERIES} with the highest “${by}” are shown.`] : []),
    ...(total > MOST_FIGURES ? [t`Only the first ${most} of ${all} figures: choose a longer step.`] : []),
  ];
  return (
    <Text size="sm" c="dimmed" role="status">
      {told.join(' ')}
    </Text>
  );
}

/** With the groups that were found alone; null: they are not known yet. */
function onlyGroups(wanted: Wanted, found: Wire['QueryResponse'] | undefined): Wanted | null {
  if (found === undefined || wanted.split === null) return null;
  const at = found.columns.findIndex(({ name }) => name === labelsOf(wanted).split);
  const values = found.rows.map((row) => row[at]).filter((value) => value !== null && value !== undefined);
  if (values.length === 0) return wanted;
  return { ...wanted, filters: [...wanted.filters, { kind: 'in', column: wanted.split, values, negated: false }] };
}

function shownOf({ from = '', to = '' }: DatasourceSearch, all: Range): Range {
  return { from: from === '' ? all.from : from, to: to === '' ? all.to : to };
}

function wantedOf({ datasource, summary, search, all }: ExploredProps): {
  readonly wanted: Wanted;
  readonly length: number;
} {
  const { config } = datasource;
  const { draw, figure } = search;
  const numbers = numbersOf(summary.columns, config.timefield);
  const named = (search.values ?? [search.value]).flatMap((name) => numbers.filter((one) => one.name === name));
  const start = startOf(numbers, config.values, draw);
  const chosen = named.length > 0 ? named : start.flatMap((name) => numbers.filter((one) => one.name === name));
  const split = categoriesOf(summary).find((name) => name === search.split) ?? null;
  const range = shownOf(search, all);
  const length = Date.parse(range.to) - Date.parse(range.from);
  const grain = search.grain ?? grainFor(length, draw);
  const wanted: Wanted = {
    measures: measuresOf(
      chosen.map(({ name, role }) => ({ column: name, role })),
      draw === 'scatter' && figure === 'count' ? undefined : figure,
    ),
    time: config.is_timeseries ? { column: config.timefield, grain } : null,
    split: config.is_timeseries ? split : (split ?? config.metafield),
    filters: filtersOf(search, config),
  };
  return { wanted, length };
}

function filtersOf(
  { asset = '', where = [], from = '', to = '' }: DatasourceSearch,
  { metafield, timefield }: Datasource['config'],
): readonly RowFilter[] {
  const [since, until] = [from, to].map((time) => (time === '' ? null : time));
  return [
    ...where,
    ...(asset === '' ? [] : [{ kind: 'in', column: metafield, values: [asset], negated: false }]),
    ...(since === null && until === null ? [] : [{ kind: 'time', column: timefield, from: since, to: until }]),
  ];
}

/** A scatter plot needs two. */
function startOf(numbers: readonly ColumnSummary[], measured: readonly string[], draw: Draw): readonly string[] {
  const usual = numbers.filter(({ role }) => role !== 'none').map(({ name }) => name);
  const ordered = [
    ...new Set([...measured.filter((name) => usual.includes(name)), ...usual, ...numbers.map(({ name }) => name)]),
  ];
  return ordered.slice(0, draw === 'scatter' ? 2 : 1);
}

function numbersOf(columns: readonly ColumnSummary[], timefield: string): readonly ColumnSummary[] {
  return columns.filter(({ name, type }) => (type === 'number' || type === 'integer') && name !== timefield);
}

/** Columns of texts, the subject first, and of numbers of which there are few. */
function categoriesOf({ columns }: Wire['SummaryView']): readonly string[] {
  return columns
    .filter(
      ({ type, distinct_count: different }) =>
        type === 'text' || type === 'boolean' || (type === 'integer' && different <= MOST_SERIES),
    )
    .map(({ name }) => name);
}

const FIGURE_NAMES = {
  avg: msg`Average`,
  sum: msg`Total`,
  min: msg`Lowest`,
  max: msg`Highest`,
  count: msg`Number of rows`,
  median: msg`Median`,
} as const;

const GRAIN_NAMES = {
  minute: msg`minute`,
  hour: msg`hour`,
  day: msg`day`,
  week: msg`week`,
  month: msg`month`,
  quarter: msg`quarter`,
  year: msg`year`,
} as const;

interface ControlsProps extends ExploredProps {
  readonly wanted: Wanted;
  /** Of the range, in milliseconds. */
  readonly length: number;
}

function Controls({ datasource, summary, search, wanted, length, look }: ControlsProps): ReactNode {
  const { measures, time, split } = wanted;
  const possible = grainsFor(length, split === null ? 1 : MOST_SERIES);
  const numbers = numbersOf(summary.columns, datasource.config.timefield).map(({ name }) => name);
  const isCount = measures[0]?.column === null;
  const usual = i18n._(GRAIN_NAMES[grainFor(length, search.draw)]);
  return (
    <div className={classes.controls}>
      <MultiSelect
        label={t`Values`}
        data={[...numbers]}
        value={measures.flatMap(({ column }) => (column === null ? [] : [column]))}
        disabled={isCount}
        maxValues={search.draw === 'scatter' ? 2 : 4}
        searchable
        hidePickedOptions
        onChange={(values) => {
          look({ values });
        }}
      />
      <Select
        label={t`Figure`}
        data={[
          { value: '', label: t`Usual for each` },
          ...FIGURES.map((value) => ({ value, label: i18n._(FIGURE_NAMES[value]) })),
        ]}
        value={search.figure ?? ''}
        allowDeselect={false}
        onChange={(figure) => {
          look({ figure: FIGURES.find((one) => one === figure) });
        }}
      />
      <Select
        label={t`Split by`}
        data={[...(time === null ? [] : [{ value: '', label: t`Nothing` }]), ...categoriesOf(summary)]}
        value={split ?? ''}
        allowDeselect={false}
        searchable
        onChange={(column) => {
          look({ split: column ?? '' });
        }}
      />
      {time !== null && (
        <Select
          label={t`Step`}
          data={[
            { value: '', label: t`Automatic (${usual})` },
            ...GRAINS.map((value) => ({
              value,
              label: i18n._(GRAIN_NAMES[value]),
              disabled: !possible.includes(value),
            })),
          ]}
          value={search.grain ?? ''}
          allowDeselect={false}
          onChange={(grain) => {
            look({ grain: GRAINS.find((one): one is Grain => one === grain) });
          }}
        />
      )}
    </div>
  );
}
