import { Group, Select, Skeleton, Stack, Text } from '@mantine/core';
import { IconChartDots } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import { figure, rowTime, whole } from '../../../shared/format.js';
import { plotQuery, summaryQuery } from '../../../shared/queries.js';
import type { Datasource, Wire } from '../../../shared/wire.js';
import { DownloadButton } from '../../../ui/download-button.js';
import { Empty, Failure, Loaded } from '../../../ui/states.js';
import { AssetPicker } from './asset-picker.js';
import { RangePicker } from './range-picker.js';
import type { Range } from './ranges.js';
import type { DatasourceSearch } from './search.js';
import classes from './explore-tab.module.css';

const Plot = lazy(async () => ({ default: (await import('./plot.js')).Plot }));

/** The values of one column over time: as a whole first, in detail where the reader looks closer. */
export function ExploreTab({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const summary = useQuery(summaryQuery(datasource.id));
  const columns = measuredColumns(datasource, summary.data);
  if (summary.data !== undefined && columns.length === 0) {
    return (
      <Empty icon={IconChartDots} title="Nothing to plot">
        None of its columns holds numbers.
      </Empty>
    );
  }
  return (
    <Loaded query={summary} skeleton={<Skeleton h={480} />}>
      {(known) => <Explorer datasource={datasource} columns={columns} whole={known.time_range} />}
    </Loaded>
  );
}

/** The chosen measures first, then every other column of numbers. */
function measuredColumns({ config }: Datasource, summary: Wire['SummaryView'] | undefined): readonly string[] {
  const numeric = (summary?.columns ?? [])
    .filter(({ name, type }) => (type === 'number' || type === 'integer') && name !== config.timefield)
    .map(({ name }) => name);
  return [...new Set([...config.values.filter((name) => numeric.includes(name)), ...numeric])];
}

interface ExplorerProps {
  readonly datasource: Datasource;
  readonly columns: readonly string[];
  /** From the first to the last row. */
  readonly whole: Range | null;
}

const POINTS = 2000;

function Explorer({ datasource, columns, whole: all }: ExplorerProps): ReactNode {
  const { asset = '', value: asked, from = '', to = '' } = useSearch({ from: '/datasources/$id' });
  const navigate = useNavigate({ from: '/datasources/$id' });
  const value = asked !== undefined && columns.includes(asked) ? asked : (columns[0] ?? '');
  const plot = useQuery(plotQuery(datasource.id, { value, asset, from, to, points: POINTS }));
  const look = (at: Partial<DatasourceSearch>): void => {
    void navigate({ search: (before) => withoutEmpty({ ...before, ...at }), replace: true });
  };
  const zoom = (range: Range | null): void => {
    look({ from: range?.from ?? '', to: range?.to ?? '' });
  };
  return (
    <Stack gap="md">
      <Group align="flex-end" gap="sm" className={classes.controls}>
        <Select
          label="Value"
          data={[...columns]}
          value={value}
          allowDeselect={false}
          searchable={columns.length > 10}
          onChange={(column) => {
            look({ value: column ?? '' });
          }}
        />
        <AssetPicker
          datasource={datasource}
          value={asset}
          onChange={(chosen) => {
            look({ asset: chosen });
          }}
        />
        <RangePicker range={{ from, to }} whole={all} onChange={zoom} />
        <DownloadButton
          path="/api/v1/secure/datasource/export"
          query={{ id: datasource.id, asset, from, to }}
          rows={datasource.doc_count}
          label="Export CSV"
        />
      </Group>
      <div className={`card ${classes.plot ?? ''}`} data-busy={plot.isPlaceholderData || undefined}>
        {plot.data === undefined ? (
          <PlotWaits error={plot.error} onRetry={() => void plot.refetch()} />
        ) : (
          <Plotted plot={plot.data} value={value} asset={asset} onZoom={zoom} />
        )}
      </div>
    </Stack>
  );
}

function withoutEmpty(search: DatasourceSearch): DatasourceSearch {
  return Object.fromEntries(Object.entries(search).filter(([, text]) => text !== ''));
}

function PlotWaits({ error, onRetry }: { readonly error: Error | null; readonly onRetry: () => void }): ReactNode {
  if (error === null) return <Skeleton h={400} />;
  return <Failure error={error} onRetry={onRetry} title="This can’t be plotted" />;
}

interface PlottedProps {
  readonly plot: Wire['PlotResponse'];
  readonly value: string;
  readonly asset: string;
  readonly onZoom: (range: Range | null) => void;
}

function Plotted({ plot, value, asset, onZoom }: PlottedProps): ReactNode {
  if (plot.data.length === 0) {
    return (
      <Empty icon={IconChartDots} title="No values here">
        Nothing was measured in this range{asset === '' ? '' : ` for ${asset}`}. Choose a wider one.
      </Empty>
    );
  }
  return (
    <Stack gap="xs">
      <Suspense fallback={<Skeleton h={400} />}>
        <Plot plot={plot} label={describe(plot, value)} value={value} onZoom={onZoom} />
      </Suspense>
      <Text size="sm" c="dimmed" className="numbers">
        {whole(plot.total)} {plot.total === 1 ? 'value' : 'values'}
        {plot.bucket_ms > 0 && `, shown as means with lowest and highest of every ${stretch(plot.bucket_ms)}`}. Drag
        across the plot to look closer, double-click for everything. Times in UTC.
      </Text>
    </Stack>
  );
}

/** For those who can't see it. */
function describe({ data }: Wire['PlotResponse'], value: string): string {
  const lowest = Math.min(...data.map((point) => point.min ?? point.value));
  const highest = Math.max(...data.map((point) => point.max ?? point.value));
  const from = data[0]?.timestamp ?? '';
  const to = data.at(-1)?.timestamp ?? '';
  return `${value} from ${rowTime(from)} to ${rowTime(to)}: between ${figure(lowest)} and ${figure(highest)}`;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

function stretch(ms: number): string {
  const [unit, length] = UNITS.find(([, each]) => ms >= each) ?? ['millisecond', 1];
  const count = ms / length;
  return `${figure(Math.round(count * 10) / 10)} ${unit}${count === 1 ? '' : 's'}`;
}
