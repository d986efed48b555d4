import { t } from '@lingui/core/macro';
import { Group, Pill, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { wordsOf } from './rows/conditions.js';
import type { RowFilter } from './search.js';

const NONE: readonly RowFilter[] = [];

/** The conditions that hold on the whole page, and a way to change them. */
export function usePageFilters(): readonly [readonly RowFilter[], (next: readonly RowFilter[]) => void] {
  const { where = NONE } = useSearch({ from: '/datasources/$id' });
  const navigate = useNavigate({ from: '/datasources/$id' });
  const change = (next: readonly RowFilter[]): void => {
    void navigate({
      search: ({ where: _before, ...rest }) => (next.length === 0 ? rest : { ...rest, where: next }),
      replace: true,
      resetScroll: false,
    });
  };
  return [where, change];
}

/** A value is wanted, or (again) not any more. */
export function toggled(filters: readonly RowFilter[], column: string, value: string | boolean): readonly RowFilter[] {
  const isOwn = (filter: RowFilter): boolean =>
    filter.kind === 'in' && filter.column === column && filter.negated !== true;
  const values = filters.filter(isOwn).flatMap(valuesIn);
  const next = values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
  const others = filters.filter((filter) => !isOwn(filter));
  return next.length === 0 ? others : [...others, { kind: 'in', column, values: next, negated: false }];
}

/** Whether a value is among those that are wanted. */
export function isWanted(filters: readonly RowFilter[], column: string, value: string | boolean): boolean {
  return toggled(filters, column, value).flatMap(valuesOf(column)).length < filters.flatMap(valuesOf(column)).length;
}

function valuesOf(column: string): (filter: RowFilter) => readonly unknown[] {
  return (filter) => (filter.column === column ? valuesIn(filter) : []);
}

function valuesIn({ values }: RowFilter): readonly unknown[] {
  return Array.isArray(values) ? (values as readonly unknown[]) : [];
}

function removeWords(filter: RowFilter): string {
  const words = wordsOf(filter);
  return t`Remove the filter ${words}`;
}

export function PageFilters(): ReactNode {
  const [where, change] = usePageFilters();
  if (where.length === 0) return null;
  return (
    <Group gap="xs" mb="md" component="section" aria-label={t`Filters of the page`}>
      <Text size="sm" c="dimmed">
        {t`Only where`}
      </Text>
      {where.map((filter) => (
        <Pill
          key={JSON.stringify(filter)}
          withRemoveButton
          size="md"
          removeButtonProps={{
            'aria-label': removeWords(filter),
            'aria-hidden': false,
            tabIndex: 0,
          }}
          onRemove={() => {
            change(where.filter((one) => one !== filter));
          }}
        >
          {wordsOf(filter)}
        </Pill>
      ))}
    </Group>
  );
}
