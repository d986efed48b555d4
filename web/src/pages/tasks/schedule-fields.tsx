import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Group, NativeSelect, NumberInput, SegmentedControl, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { capabilitiesQuery, summaryQuery } from '../../shared/queries.js';
import type { Wire } from '../../shared/wire.js';
import { counted, fieldsOf, type Field } from '../../ui/form.js';
import { SOME_TIME, type WeeklyTime, WeeklyTimeFields } from '../../ui/weekly-time.js';
import { AGGREGATES, intervalWords } from './task-words.js';

/** Every so many minutes, or at a time of the week. */
export interface Rhythm {
  /** Counts while there is no time. */
  readonly minutes: number;
  readonly at: WeeklyTime | null;
}

interface RhythmProps extends Field<Rhythm> {
  readonly thinking?: boolean;
}

export function RhythmFields({ value, thinking = false, onChange }: RhythmProps): ReactNode {
  const field = fieldsOf(value, (changes) => {
    onChange({ ...value, ...changes });
  });
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={t`Kind of schedule`}
        style={{ alignSelf: 'flex-start' }}
        data={[
          { value: 'interval', label: t`At an interval` },
          { value: 'weekly', label: t`At a time of day` },
        ]}
        value={value.at === null ? 'interval' : 'weekly'}
        onChange={(kind) => {
          onChange({ ...value, at: kind === 'weekly' ? SOME_TIME : null });
        }}
      />
      {value.at === null ? (
        <IntervalField thinking={thinking} {...field('minutes')} />
      ) : (
        <WeeklyTimeFields value={value.at} onChange={field('at').onChange} />
      )}
    </Stack>
  );
}

/** False while something of it is missing. */
export function isWholeRhythm({ at }: Rhythm): boolean {
  return at === null || (at.days.length > 0 && at.time !== '');
}

interface IntervalProps extends Field<number> {
  readonly thinking: boolean;
}

const LONGEST = 1440;
const THINKING = [15, 30, 60, 120, LONGEST];

/** How often; tasks that think have a few intervals to choose from. */
function IntervalField({ value, thinking, onChange }: IntervalProps): ReactNode {
  const limits = useQuery(capabilitiesQuery).data?.limits;
  if (thinking)
    return (
      <NativeSelect
        label={t`How often`}
        w={220}
        data={(limits?.thinking_task_intervals ?? THINKING).map((minutes) => ({
          value: String(minutes),
          label: intervalWords(minutes),
        }))}
        value={String(value)}
        onChange={({ currentTarget }) => {
          onChange(Number(currentTarget.value));
        }}
      />
    );
  const longest = limits?.longest_task_interval ?? LONGEST;
  return (
    <NumberInput
      label={t`How often`}
      description={t`In minutes, from 1 to ${String(longest)}`}
      w={220}
      min={1}
      max={longest}
      allowDecimal={false}
      value={value}
      onChange={counted(onChange)}
    />
  );
}

export interface ConditionDraft {
  readonly type: 'always' | 'new_data' | 'threshold';
  readonly aggregate: 'count' | 'avg' | 'sum' | 'min' | 'max' | 'median';
  readonly column: string | null;
  readonly operator: '<' | '<=' | '>' | '>=' | '=' | '!=';
  readonly value: number;
}

export const SOME_CONDITION: ConditionDraft = {
  type: 'always',
  aggregate: 'avg',
  column: null,
  operator: '>',
  value: 0,
};

/** As the service takes it. */
export function conditionOf(draft: ConditionDraft, datasourceId: string): Wire['ConditionBody'] {
  const { type, aggregate, column, operator, value } = draft;
  if (type !== 'threshold') return { type };
  return { type, aggregate, column, operator, value, datasource_id: datasourceId };
}

interface ConditionProps extends Field<ConditionDraft> {
  /** Whose figure is compared; null: none is chosen yet. */
  readonly datasourceId: string | null;
}

const TYPES = [
  { value: 'always', label: msg`Every time` },
  { value: 'new_data', label: msg`When rows have changed` },
  { value: 'threshold', label: msg`When a figure passes a limit` },
];

/** Which turns of the schedule are worth a run. */
export function ConditionFields({ value: draft, datasourceId, onChange }: ConditionProps): ReactNode {
  return (
    <Stack gap="md">
      <NativeSelect
        label={t`When to run`}
        w={260}
        data={TYPES.map(({ value, label }) => ({ value, label: i18n._(label) }))}
        value={draft.type}
        onChange={({ currentTarget }) => {
          onChange({ ...draft, type: currentTarget.value as ConditionDraft['type'] });
        }}
      />
      {draft.type === 'threshold' && <Threshold value={draft} datasourceId={datasourceId} onChange={onChange} />}
    </Stack>
  );
}

const OPERATORS = ['>', '>=', '<', '<=', '=', '!='];

function Threshold({ value: draft, datasourceId, onChange }: ConditionProps): ReactNode {
  const field = fieldsOf(draft, (changes) => {
    onChange({ ...draft, ...changes });
  });
  const summary = useQuery({ ...summaryQuery(datasourceId ?? ''), enabled: datasourceId !== null });
  const numbers = (summary.data?.columns ?? []).filter(({ type }) => type === 'number' || type === 'integer');
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label={t`Figure`}
        data={Object.entries(AGGREGATES).map(([value, label]) => ({ value, label: i18n._(label) }))}
        value={draft.aggregate}
        onChange={({ currentTarget }) => {
          const aggregate = currentTarget.value as ConditionDraft['aggregate'];
          onChange({ ...draft, aggregate, column: aggregate === 'count' ? null : draft.column });
        }}
      />
      {draft.aggregate !== 'count' && (
        <Select
          label={t`of`}
          placeholder={datasourceId === null ? t`Choose a datasource first` : t`Column`}
          data={numbers.map(({ name }) => name)}
          {...field('column')}
        />
      )}
      <NativeSelect
        label={t`is`}
        data={OPERATORS}
        value={draft.operator}
        onChange={({ currentTarget }) => {
          onChange({ ...draft, operator: currentTarget.value as ConditionDraft['operator'] });
        }}
      />
      <NumberInput label={t`Limit`} w={140} value={draft.value} onChange={counted(field('value').onChange)} />
    </Group>
  );
}
