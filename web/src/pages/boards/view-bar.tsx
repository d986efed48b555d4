import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Button, CloseButton, Group, Popover, Select, Stack, TagsInput, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { rowTime } from '../../shared/format.js';
import { LOCALE } from '../../shared/language.js';
import { summaryQuery } from '../../shared/queries.js';
import type { ColumnSummary } from '../../shared/wire.js';
import { IconFilter } from '../../ui/icons.js';
import { OwnRange } from '../../ui/own-range.js';
import type { BoardFilter, BoardRange, BoardView } from './boards.queries.js';
import classes from './boards.module.css';

interface ViewBarProps {
  readonly view: BoardView;
  /** Whose columns can be filtered by. */
  readonly datasources: readonly string[];
  readonly onChange: (view: BoardView) => void;
}

/** One time range and filters for all figures of a board. */
export function ViewBar({ view, datasources, onChange }: ViewBarProps): ReactNode {
  const { range, filters } = view;
  return (
    <Group gap="xs" align="center" className={classes.bar} role="group" aria-label={t`What the board shows`}>
      <RangeChoice
        range={range}
        onChange={(next) => {
          onChange({ ...view, range: next });
        }}
      />
      {filters.map((filter, place) => (
        <span key={filter.column} className={classes.chip}>
          <Text span size="sm">
            {filterWords(filter)}
          </Text>
          <CloseButton
            size="sm"
            radius="xl"
            aria-label={t`Remove the filter ${filterWords(filter)}`}
            onClick={() => {
              onChange({ ...view, filters: filters.filter((_, at) => at !== place) });
            }}
          />
        </span>
      ))}
      <FilterButton
        datasources={datasources}
        onAdd={(filter) => {
          onChange({ ...view, filters: [...filters.filter(({ column }) => column !== filter.column), filter] });
        }}
      />
    </Group>
  );
}

/** `location: Seattle, New York` */
export function filterWords({ column, values }: BoardFilter): string {
  return `${column}: ${values.map(String).join(', ')}`;
}

const PRESETS = [
  { value: '24-hour', label: msg`Last 24 hours` },
  { value: '7-day', label: msg`Last 7 days` },
  { value: '30-day', label: msg`Last 30 days` },
  { value: '12-month', label: msg`Last 12 months` },
] as const;
const [ALL, OWN] = ['all', 'own'] as const;

/** `Last 7 days`, `1 Jan 2024 to 1 Feb 2024` */
export function rangeWords(range: BoardRange | null): string {
  if (range === null) return t`All time`;
  const { last, unit, from, to } = range;
  if (last !== undefined && unit !== undefined) {
    const known = PRESETS.find(({ value }) => value === `${String(last)}-${unit}`)?.label;
    return known === undefined ? t`Last ${lengthOf(last, unit)}` : i18n._(known);
  }
  if (from == null) return t`Until ${rowTime(to ?? '')}`;
  return to == null ? t`From ${rowTime(from)}` : t`${rowTime(from)} to ${rowTime(to)}`;
}

/** `3 days`; no language of a browser knows quarters. */
function lengthOf(count: number, unit: NonNullable<BoardRange['unit']>): string {
  const [value, known] = unit === 'quarter' ? [3 * count, 'month'] : [count, unit];
  return new Intl.NumberFormat(LOCALE, { style: 'unit', unit: known, unitDisplay: 'long' }).format(value);
}

interface RangeChoiceProps {
  readonly range: BoardRange | null;
  readonly onChange: (range: BoardRange | null) => void;
}

function RangeChoice({ range, onChange }: RangeChoiceProps): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  const relative = range?.last === undefined ? '' : `${String(range.last)}-${range.unit ?? ''}`;
  const isPreset = PRESETS.some(({ value }) => value === relative);
  const shown = range === null ? ALL : isPreset ? relative : 'now';
  const choose = (value: string | null): void => {
    if (value === OWN) open();
    else if (value === ALL) onChange(null);
    else {
      const [last = '', unit] = (value ?? '').split('-');
      if (unit === 'hour' || unit === 'day' || unit === 'month') onChange({ last: Number(last), unit });
    }
  };
  return (
    <Popover opened={isOpen} onDismiss={close} trapFocus withArrow position="bottom-start">
      <Popover.Target>
        <Select
          aria-label={t`Time`}
          data={[
            { value: ALL, label: t`All time` },
            ...PRESETS.map((one) => ({ value: one.value, label: i18n._(one.label) })),
            ...(shown === 'now' ? [{ value: 'now', label: rangeWords(range) }] : []),
            { value: OWN, label: t`From … to …` },
          ]}
          value={shown}
          allowDeselect={false}
          className={classes.range}
          onChange={choose}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <OwnRange
          start={{ from: '', to: '' }}
          isRough
          onChoose={({ from, to }) => {
            onChange({ from: from === '' ? null : from, to: to === '' ? null : to });
            close();
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

interface FilterButtonProps {
  readonly datasources: readonly string[];
  readonly onAdd: (filter: BoardFilter) => void;
}

function FilterButton({ datasources, onAdd }: FilterButtonProps): ReactNode {
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <Popover opened={isOpen} onDismiss={close} trapFocus withArrow position="bottom-start" width={280}>
      <Popover.Target>
        <Button variant="default" leftSection={<IconFilter aria-hidden />} aria-expanded={isOpen} onClick={toggle}>
          {t`Filter`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <FilterForm
          datasources={datasources}
          onAdd={(filter) => {
            onAdd(filter);
            close();
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function FilterForm({ datasources, onAdd }: FilterButtonProps): ReactNode {
  const columns = useFilterColumns(datasources);
  const [column, setColumn] = useState<string | null>(null);
  const [values, setValues] = useState<readonly string[]>([]);
  const chosen = columns.find(({ name }) => name === column);
  const add = (): void => {
    if (chosen === undefined || values.length === 0) return;
    const typed = chosen.type === 'boolean' ? values.map((value) => value === 'true') : [...values];
    onAdd({ column: chosen.name, values: typed });
  };
  return (
    <Stack
      component="form"
      gap="sm"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Select
        label={t`Column`}
        data={columns.map(({ name }) => name)}
        value={column}
        nothingFoundMessage={t`There is no column of words`}
        comboboxProps={{ withinPortal: false }}
        onChange={(next) => {
          setColumn(next);
          setValues([]);
        }}
      />
      <TagsInput
        label={t`Values`}
        description={t`Rows with one of these are shown. Choose from the most frequent, or type.`}
        acceptValueOnBlur
        data={chosen === undefined ? [] : valuesOf(chosen)}
        value={[...values]}
        disabled={chosen === undefined}
        // Below it is the button.
        comboboxProps={{ withinPortal: false, position: 'top' }}
        onChange={setValues}
      />
      <Button type="submit" disabled={values.length === 0}>
        {t`Add the filter`}
      </Button>
    </Stack>
  );
}

/** Columns of words, and of yes and no, of all datasources; each name once. */
function useFilterColumns(datasources: readonly string[]): readonly ColumnSummary[] {
  const summaries = useQueries({ queries: datasources.map((id) => ({ ...summaryQuery(id), retry: false })) });
  const columns = summaries.flatMap(({ data }) => data?.columns ?? []);
  const fit = columns.filter(({ type }) => type === 'text' || type === 'boolean');
  return fit.filter(({ name }, at) => fit.findIndex((other) => other.name.toLowerCase() === name.toLowerCase()) === at);
}

function valuesOf({ type, top_values: top }: ColumnSummary): string[] {
  return type === 'boolean' ? ['true', 'false'] : [...new Set(top.map(({ value }) => value))];
}
