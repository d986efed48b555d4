import { t } from '@lingui/core/macro';
import { Group, SegmentedControl, Select, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { summaryQuery } from '../../../shared/queries.js';
import { saveDownload } from '../../../shared/save.js';
import type { Datasource, Wire } from '../../../shared/wire.js';
import { ExportButton } from '../../../ui/download-button.js';
import { IconChartDots } from '../../../ui/icons.js';
import { Empty, Loaded } from '../../../ui/states.js';
import { AssetPicker } from './asset-picker.js';
import { DRAWS, type Draw } from './explore/figures.js';
import { Explored } from './explore/explored.js';
import { AddNote, Notes, notesQuery } from './explore/notes.js';
import type { Marked } from './plot/marks.js';
import { PlotCard } from './plot/plot-card.js';
import { rangeOfView, viewOf, wholeOf } from './plot/view.js';
import { RangePicker } from './range-picker.js';
import type { Range } from './ranges.js';
import type { DatasourceSearch } from './search.js';
import classes from './explore-tab.module.css';

/** The values of one column over time, in detail where the reader looks closer; or figures of several, by group and in steps. */
export function ExploreTab({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const summary = useQuery(summaryQuery(datasource.id));
  const columns = measuredColumns(datasource, summary.data);
  if (summary.data !== undefined && columns.length === 0) {
    return (
      <Empty icon={IconChartDots} title={t`Nothing to plot`}>
        {t`No column of this datasource holds numbers.`}
      </Empty>
    );
  }
  return (
    <Loaded query={summary} skeleton={<Skeleton h={480} />}>
      {(known) =>
        known.time_range === null ? (
          <NoRows />
        ) : (
          <Explorer datasource={datasource} columns={columns} summary={known} all={known.time_range} />
        )
      }
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

function NoRows(): ReactNode {
  return (
    <Empty icon={IconChartDots} title={t`Nothing to plot`}>
      {t`There are no rows. Insert some, or upload a file.`}
    </Empty>
  );
}

interface ExplorerProps {
  readonly datasource: Datasource;
  readonly columns: readonly string[];
  readonly summary: Wire['SummaryView'];
  /** From the first to the last row. */
  readonly all: Range;
}

function Explorer({ datasource, columns, summary, all }: ExplorerProps): ReactNode {
  const search = useSearch({ from: '/datasources/$id' });
  const { where = [] } = search;
  const navigate = useNavigate({ from: '/datasources/$id' });
  const notes = useQuery(notesQuery(datasource.id)).data ?? NO_NOTES;
  const marks = useMemo(() => notes.map(markOf), [notes]);
  const look = (at: Partial<DatasourceSearch>): void => {
    // Whoever looks at the plot stays there.
    void navigate({ search: (before) => withoutEmpty({ ...before, ...at }), replace: true, resetScroll: false });
  };
  const zoom = (range: Range | null): void => {
    look({ from: range?.from ?? '', to: range?.to ?? '' });
  };
  const { is_timeseries: isOverTime } = datasource.config;
  // Single values know of no filters but the subject, and of no order but that of time.
  const draw = search.draw ?? (!isOverTime ? 'bar' : where.length > 0 ? 'line' : null);
  return (
    <Stack gap="md">
      <Tools {...{ datasource, all, draw, search, look, zoom }} />
      {draw === null ? (
        <EveryValue {...{ datasource, columns, all, marks, search, look }} />
      ) : (
        <Explored {...{ datasource, summary, all, marks, look }} search={{ ...search, draw }} />
      )}
      <Notes id={datasource.id} notes={notes} onShow={zoom} />
    </Stack>
  );
}

interface ToolsProps extends Pick<ExplorerProps, 'datasource' | 'all'> {
  readonly draw: Draw | null;
  readonly search: DatasourceSearch;
  readonly look: (at: Partial<DatasourceSearch>) => void;
  readonly zoom: (range: Range | null) => void;
}

/** What is drawn of which rows, and what can be done with them. */
function Tools({ datasource, all, draw, search, look, zoom }: ToolsProps): ReactNode {
  const { asset = '', from = '', to = '', where = [] } = search;
  const { id, config } = datasource;
  return (
    <Group align="flex-end" gap="sm">
      <Kind draw={draw} isOverTime={config.is_timeseries} hasFilters={where.length > 0} onChange={look} />
      <div className={classes.control}>
        <AssetPicker
          datasource={datasource}
          value={asset}
          onChange={(chosen) => {
            look({ asset: chosen });
          }}
        />
      </div>
      {config.is_timeseries && (
        <>
          <RangePicker range={{ from, to }} whole={all} onChange={zoom} />
          <AddNote id={id} range={{ from: from === '' ? all.from : from, to: to === '' ? all.to : to }} />
        </>
      )}
      <ExportButton
        save={(format) =>
          saveDownload('/api/v1/secure/datasource/export', { id, asset, from, to, format }, datasource.doc_count)
        }
      />
    </Group>
  );
}

const NO_NOTES: readonly Wire['AnnotationView'][] = [];

function markOf({ id, text, from, to }: Wire['AnnotationView']): Marked {
  return { id, text, from: Date.parse(from), to: Date.parse(to) };
}

interface KindProps {
  readonly draw: Draw | null;
  readonly isOverTime: boolean;
  readonly hasFilters: boolean;
  readonly onChange: (at: Partial<DatasourceSearch>) => void;
}

function Kind({ draw, isOverTime, hasFilters, onChange }: KindProps): ReactNode {
  const kinds = [
    ...(isOverTime ? [{ value: 'each', label: t`Every value`, disabled: hasFilters }] : []),
    ...(isOverTime ? [{ value: 'line', label: t`Lines` }] : []),
    { value: 'bar', label: t`Bars` },
    ...(isOverTime ? [{ value: 'scatter', label: t`Scatter` }] : []),
  ];
  return (
    <SegmentedControl
      aria-label={t`What is drawn`}
      data={kinds}
      value={draw ?? 'each'}
      onChange={(kind) => {
        onChange({ draw: DRAWS.find((one) => one === kind) });
      }}
    />
  );
}

interface EveryValueProps extends Omit<ExplorerProps, 'summary'> {
  readonly marks: readonly Marked[];
  readonly search: DatasourceSearch;
  readonly look: (at: Partial<DatasourceSearch>) => void;
}

/** One column in full resolution. */
function EveryValue({ datasource, columns, all, marks, search, look }: EveryValueProps): ReactNode {
  const { asset = '', value: asked, from = '', to = '' } = search;
  const value = asked !== undefined && columns.includes(asked) ? asked : (columns[0] ?? '');
  const whole = useMemo(() => wholeOf(all), [all.from, all.to]);
  const view = useMemo(() => viewOf({ from, to }, whole), [from, to, whole]);
  return (
    <>
      <Select
        className={classes.value}
        label={t`Value`}
        data={[...columns]}
        value={value}
        allowDeselect={false}
        searchable={columns.length > 10}
        onChange={(column) => {
          look({ value: column ?? '' });
        }}
      />
      <PlotCard
        key={`${value} ${asset}`}
        line={{ datasourceId: datasource.id, value, asset }}
        view={view}
        whole={whole}
        marks={marks}
        onRest={(rested) => {
          const range = rangeOfView(rested, whole);
          look({ from: range?.from ?? '', to: range?.to ?? '' });
        }}
      />
    </>
  );
}

function withoutEmpty(search: DatasourceSearch): DatasourceSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== '' && value !== undefined));
}
