import { plural, t } from '@lingui/core/macro';
import { Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { percent } from '../../../shared/format.js';
import type { ColumnSummary, Wire } from '../../../shared/wire.js';
import { isWanted, toggled, usePageFilters } from './page-filters.js';
import classes from './top-values.module.css';

interface TopValuesProps {
  readonly column: ColumnSummary;
  readonly values: readonly Wire['TopValueView'][];
  readonly rows: number;
}

const SHOWN = 3;

/** The most frequent values, each with a bar as long as its share of all rows. A click filters the page by it. */
export function TopValues({ column: { name, type }, values, rows }: TopValuesProps): ReactNode {
  const [where, change] = usePageFilters();
  const meant = (value: string): string | boolean => (type === 'boolean' ? value === 'true' : value);
  const shareOf = (count: number): number => count / Math.max(rows, 1);
  return (
    <ul className={classes.list}>
      {values.slice(0, SHOWN).map(({ value, count }) => (
        <li key={value}>
          <div className={classes.bar} style={{ width: `${String(shareOf(count) * 100)}%` }} />
          <UnstyledButton
            className={classes.label}
            title={value}
            aria-pressed={isWanted(where, name, meant(value))}
            onClick={() => {
              change(toggled(where, name, meant(value)));
            }}
          >
            <Text size="sm" truncate component="span" display="block">
              {value === '' ? t`(empty)` : value}
            </Text>
          </UnstyledButton>
          <Text
            size="sm"
            c="dimmed"
            className={`numbers ${classes.share ?? ''}`}
            title={plural(count, { one: '# row', other: '# rows' })}
          >
            {percent(shareOf(count))}
          </Text>
        </li>
      ))}
      {values.length > SHOWN && (
        <Text component="li" size="xs" c="dimmed">
          {values.length === 20 ? t`and others` : t`and ${String(values.length - SHOWN)} more`}
        </Text>
      )}
    </ul>
  );
}
