import { Group, Select, Skeleton, Stack } from '@mantine/core';
import { IconChartDots } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { summaryQuery } from '../../../shared/queries.js';
import { saveDownload } from '../../../shared/save.js';
import type { Datasource, Wire } from '../../../shared/wire.js';
import { ExportButton } from '../../../ui/download-button.js';
import { Empty, Loaded } from '../../../ui/states.js';
import { AssetPicker } from './asset-picker.js';
import { PlotCard } from './plot/plot-card.js';
import { rangeOfView, viewOf, wholeOf } from './plot/view.js';
import { RangePicker } from './range-picker.js';
import type { Range } from './ranges.js';
import type { DatasourceSearch } from './search.js';
import classes from './explore-tab.module.css';

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
      {({ time_range: all }) =>
        all === null ? <NoRows /> : <Explorer datasource={datasource} columns={columns} all={all} />
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
    <Empty icon={IconChartDots} title="Nothing to plot">
      There are no rows. Insert some, or upload a file.
    </Empty>
  );
}

interface ExplorerProps {
  readonly datasource: Datasource;
  readonly columns: readonly string[];
  /** From the first to the last row. */
  readonly all: Range;
}

function Explorer({ datasource, columns, all }: ExplorerProps): ReactNode {
  const { asset = '', value: asked, from = '', to = '' } = useSearch({ from: '/datasources/$id' });
  const navigate = useNavigate({ from: '/datasources/$id' });
  const value = asked !== undefined && columns.includes(asked) ? asked : (columns[0] ?? '');
  const whole = useMemo(() => wholeOf(all), [all.from, all.to]);
  const view = useMemo(() => viewOf({ from, to }, whole), [from, to, whole]);
  const look = (at: Partial<DatasourceSearch>): void => {
    // Whoever looks at the plot stays there.
    void navigate({ search: (before) => withoutEmpty({ ...before, ...at }), replace: true, resetScroll: false });
  };
  const zoom = (range: Range | null): void => {
    look({ from: range?.from ?? '', to: range?.to ?? '' });
  };
  return (
    <Stack gap="md">
      <Group align="flex-end" gap="sm">
        <Select
          className={classes.control}
          label="Value"
          data={[...columns]}
          value={value}
          allowDeselect={false}
          searchable={columns.length > 10}
          onChange={(column) => {
            look({ value: column ?? '' });
          }}
        />
        <div className={classes.control}>
          <AssetPicker
            datasource={datasource}
            value={asset}
            onChange={(chosen) => {
              look({ asset: chosen });
            }}
          />
        </div>
        <RangePicker range={{ from, to }} whole={all} onChange={zoom} />
        <ExportButton
          save={(format) =>
            saveDownload(
              '/api/v1/secure/datasource/export',
              { id: datasource.id, asset, from, to, format },
              datasource.doc_count,
            )
          }
        />
      </Group>
      <PlotCard
        key={`${value} ${asset}`}
        line={{ datasourceId: datasource.id, value, asset }}
        view={view}
        whole={whole}
        onRest={(rested) => {
          zoom(rangeOfView(rested, whole));
        }}
      />
    </Stack>
  );
}

function withoutEmpty(search: DatasourceSearch): DatasourceSearch {
  return Object.fromEntries(Object.entries(search).filter(([, text]) => text !== ''));
}
