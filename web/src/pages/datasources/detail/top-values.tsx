import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { percent, whole } from '../../../shared/format.js';
import type { Wire } from '../../../shared/wire.js';
import classes from './top-values.module.css';

interface TopValuesProps {
  readonly values: readonly Wire['TopValueView'][];
  readonly rows: number;
}

const SHOWN = 3;

/** The most frequent values, each with a bar as long as its share of all rows. */
export function TopValues({ values, rows }: TopValuesProps): ReactNode {
  const shareOf = (count: number): number => count / Math.max(rows, 1);
  return (
    <ul className={classes.list}>
      {values.slice(0, SHOWN).map(({ value, count }) => (
        <li key={value}>
          <div className={classes.bar} style={{ width: `${String(shareOf(count) * 100)}%` }} />
          <Text size="sm" truncate title={value} className={classes.label}>
            {value === '' ? '(empty)' : value}
          </Text>
          <Text size="sm" c="dimmed" className={`numbers ${classes.share ?? ''}`} title={`${whole(count)} rows`}>
            {percent(shareOf(count))}
          </Text>
        </li>
      ))}
      {values.length > SHOWN && (
        <Text component="li" size="xs" c="dimmed">
          and {values.length === 20 ? 'others' : `${String(values.length - SHOWN)} more`}
        </Text>
      )}
    </ul>
  );
}
