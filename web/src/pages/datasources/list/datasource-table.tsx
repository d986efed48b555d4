import { plural, t } from '@lingui/core/macro';
import { Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ago, moment } from '../../../shared/format.js';
import type { Datasource } from '../../../shared/wire.js';
import { IconChartLine, IconTable } from '../../../ui/icons.js';
import { AskButton } from '../ask-button.js';
import { ImportState } from '../import-state.js';
import classes from './datasource-table.module.css';

/** One line each, which leads to the datasource's page. */
export function DatasourceTable({ datasources }: { readonly datasources: readonly Datasource[] }): ReactNode {
  return (
    <ul className="card lines" aria-label={t`Datasources`}>
      {datasources.map((datasource) => (
        <Line key={datasource.id} datasource={datasource} />
      ))}
    </ul>
  );
}

function Line({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const { id, name, config, doc_count: rows, updated_at: updated } = datasource;
  const Icon = config.is_timeseries ? IconChartLine : IconTable;
  return (
    <li className={classes.entry}>
      <Link to="/datasources/$id" params={{ id }} className={`line ${classes.line ?? ''}`}>
        <Icon size={20} stroke={1.4} className={classes.icon} aria-hidden />
        <div className={classes.name}>
          <Text fw={600} truncate>
            {name}
          </Text>
          <Text size="sm" c="dimmed" truncate>
            {config.is_timeseries ? t`Time series · by ${config.metafield}` : t`Table · by ${config.metafield}`}
          </Text>
        </div>
        <Text size="sm" className={`numbers ${classes.rows ?? ''}`}>
          {plural(rows, { one: '# row', other: '# rows' })}
        </Text>
        <Text size="sm" c="dimmed" title={moment(updated)} className={classes.updated}>
          {ago(updated)}
        </Text>
        <div className={classes.state}>
          <ImportState datasource={datasource} />
        </div>
      </Link>
      <div className={classes.ask}>
        <AskButton datasource={datasource} isSmall />
      </div>
    </li>
  );
}

const LINES = [1, 2, 3, 4];

export function DatasourceTableSkeleton(): ReactNode {
  return (
    <div className="card lines">
      {LINES.map((line) => (
        <div key={line} className={`line ${classes.line ?? ''}`}>
          <Skeleton h={20} w={20} />
          <Stack gap={8} className={classes.name}>
            <Skeleton h={14} w="40%" />
            <Skeleton h={12} w="25%" />
          </Stack>
        </div>
      ))}
    </div>
  );
}
