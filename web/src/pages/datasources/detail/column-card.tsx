import { t } from '@lingui/core/macro';
import { Badge, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { compact, figure, percent, rowTime } from '../../../shared/format.js';
import type { ColumnSummary, Datasource } from '../../../shared/wire.js';
import { typeName } from '../wizard/columns.js';
import { Histogram } from './histogram.js';
import { TopValues } from './top-values.js';
import classes from './column-card.module.css';

interface ColumnCardProps {
  readonly datasource: Datasource;
  readonly column: ColumnSummary;
  readonly rows: number;
}

/** One column: how its values lie, and its figures. */
export function ColumnCard({ datasource, column, rows }: ColumnCardProps): ReactNode {
  const { name, type, null_count: missing } = column;
  const isNumeric = type === 'number' || type === 'integer';
  const hasPicture = isNumeric ? (column.histogram ?? []).length > 0 : type !== 'time';
  return (
    <section className={`card ${classes.card ?? ''}`} aria-label={t`Column ${name}`}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Badge color="gray" flex="none">
          {roleOf(datasource, name) ?? typeName(type)}
        </Badge>
      </Group>
      {hasPicture && (
        <div className={classes.picture}>
          {isNumeric ? (
            <Distribution column={column} />
          ) : (
            <TopValues column={column} values={column.top_values} rows={rows} />
          )}
        </div>
      )}
      <Facts column={column} />
      {missing > 0 && (
        <Text size="sm" c="dimmed">
          {t`${percent(missing / Math.max(rows, 1))} missing`}
        </Text>
      )}
    </section>
  );
}

function roleOf({ config }: Datasource, name: string): string | null {
  if (config.is_timeseries && name === config.timefield) return t`Time`;
  return name === config.metafield ? t`Subject` : null;
}

/** Every value of the column is counted. */
function Distribution({ column: { name, histogram: bins = [] } }: { readonly column: ColumnSummary }): ReactNode {
  if (bins.length === 0) return null;
  return (
    <Stack gap={2}>
      <Histogram bins={bins} label={t`Distribution of ${name}`} />
      <Group justify="space-between">
        <Text size="xs" c="dimmed" className="numbers">
          {figure(bins[0]?.from ?? 0)}
        </Text>
        <Text size="xs" c="dimmed" className="numbers">
          {figure(bins.at(-1)?.to ?? 0)}
        </Text>
      </Group>
    </Stack>
  );
}

function Facts({ column }: { readonly column: ColumnSummary }): ReactNode {
  const facts = factsOf(column);
  return (
    <dl className={classes.facts} data-alone={column.type === 'time' || undefined}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <Text component="dt" size="xs" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} size="sm" className="numbers" truncate title={value}>
            {value}
          </Text>
        </div>
      ))}
    </dl>
  );
}

function factsOf({
  type,
  min,
  max,
  mean,
  distinct_count: distinct,
}: ColumnSummary): readonly (readonly [string, string])[] {
  if (type === 'number' || type === 'integer') {
    return [
      [t`Lowest`, shown(min)],
      [t`Mean`, mean === null ? '—' : figure(mean)],
      [t`Highest`, shown(max)],
    ];
  }
  if (type === 'time') {
    return [
      [t`First (UTC)`, typeof min === 'string' ? rowTime(min) : '—'],
      [t`Last (UTC)`, typeof max === 'string' ? rowTime(max) : '—'],
      [t`Different times`, compact(distinct)],
    ];
  }
  return [[t`Different values`, compact(distinct)]];
}

function shown(value: ColumnSummary['min']): string {
  return typeof value === 'number' ? figure(value) : String(value ?? '—');
}
