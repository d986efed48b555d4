import { plural, t } from '@lingui/core/macro';
import { SimpleGrid, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { compact, rowTime } from '../../../shared/format.js';
import { histogramsQuery } from '../../../shared/queries.js';
import type { Datasource, Wire } from '../../../shared/wire.js';
import { typed } from '../../../ui/form.js';
import { Loaded } from '../../../ui/states.js';
import { ColumnCard } from './column-card.js';
import { filteredQuery } from './filtered-summary.js';
import { usePageFilters } from './page-filters.js';
import classes from './summary-tab.module.css';

/** What is in the rows, column by column. */
export function SummaryTab({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const query = useQuery(histogramsQuery(datasource.id));
  const [where] = usePageFilters();
  return (
    <Loaded query={query} skeleton={<SummarySkeleton columns={datasource.config.columns[0]?.length ?? 6} />}>
      {(summary) =>
        where.length === 0 ? (
          <Cards datasource={datasource} summary={summary} />
        ) : (
          <Filtered datasource={datasource} summary={summary} />
        )
      }
    </Loaded>
  );
}

function Cards({ datasource, summary }: SummaryProps): ReactNode {
  return (
    <Stack gap="lg">
      <KeyFigures datasource={datasource} summary={summary} />
      <ColumnCards datasource={datasource} summary={summary} />
    </Stack>
  );
}

/** Of the rows that fit the filters of the page. */
function Filtered({ datasource, summary }: SummaryProps): ReactNode {
  const [where] = usePageFilters();
  const query = useQuery({ ...filteredQuery(datasource.id, summary, where), placeholderData: keepPreviousData });
  return (
    <Loaded query={query} skeleton={<SummarySkeleton columns={summary.columns.length} />}>
      {(filtered) => <Cards datasource={datasource} summary={filtered} />}
    </Loaded>
  );
}

interface SummaryProps {
  readonly datasource: Datasource;
  readonly summary: Wire['SummaryView'];
}

function KeyFigures({ datasource: { config }, summary }: SummaryProps): ReactNode {
  const subject = summary.columns.find(({ name }) => name === config.metafield);
  const { time_range: range } = summary;
  return (
    <dl className={`card ${classes.figures ?? ''}`}>
      <KeyFigure
        label={t`Rows`}
        value={compact(summary.row_count)}
        detail={plural(summary.row_count, { one: '# row', other: '# rows' })}
      />
      <KeyFigure label={t`Columns`} value={String(summary.columns.length)} />
      {subject !== undefined && (
        <KeyFigure label={t`Values of ${config.metafield}`} value={compact(subject.distinct_count)} />
      )}
      {range !== null && config.is_timeseries && (
        <KeyFigure label={t`From, to (UTC)`} value={`${rowTime(range.from)} – ${rowTime(range.to)}`} />
      )}
    </dl>
  );
}

interface KeyFigureProps {
  readonly label: string;
  readonly value: string;
  readonly detail?: string;
}

/** More columns than are found by looking. */
const MANY_COLUMNS = 12;

function ColumnCards({ datasource, summary: { columns, row_count: rows } }: SummaryProps): ReactNode {
  const [search, setSearch] = useState('');
  const found = columns.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <>
      {columns.length > MANY_COLUMNS && (
        <TextInput type="search" label={t`Find a column`} maw={320} value={search} onChange={typed(setSearch)} />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
        {found.map((column) => (
          <ColumnCard key={column.name} datasource={datasource} column={column} rows={rows} />
        ))}
      </SimpleGrid>
      {found.length === 0 && <Text c="dimmed">{t`No column has this text in its name.`}</Text>}
    </>
  );
}

function KeyFigure({ label, value, detail }: KeyFigureProps): ReactNode {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} fw={600} size="lg" className="numbers" title={detail}>
        {value}
      </Text>
    </div>
  );
}

function SummarySkeleton({ columns }: { readonly columns: number }): ReactNode {
  return (
    <Stack gap="lg">
      <Skeleton h={82} />
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
        {Array.from({ length: Math.min(columns, 9) }, (_, index) => (
          <Skeleton key={index} h={196} />
        ))}
      </SimpleGrid>
    </Stack>
  );
}
