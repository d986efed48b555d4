import { Group, NativeSelect, NumberInput, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { capabilitiesQuery, summaryQuery } from '../../shared/queries.js';
import type { Wire } from '../../shared/wire.js';
import { intervalWords } from './task-words.js';

interface IntervalProps {
  /** Minutes. */
  readonly value: number;
  readonly thinking: boolean;
  readonly onChange: (minutes: number) => void;
}

const LONGEST = 1440;
const THINKING = [15, 30, 60, 120, LONGEST];

/** How often; tasks that think have a few intervals to choose from. */
export function IntervalField({ value, thinking, onChange }: IntervalProps): ReactNode {
  const limits = useQuery(capabilitiesQuery).data?.limits;
  if (thinking)
    return (
      <NativeSelect
        label="How often"
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
      label="How often"
      description={`Minutes, 1 to ${String(longest)}`}
      w={220}
      min={1}
      max={longest}
      allowDecimal={false}
      value={value}
      onChange={(minutes) => {
        if (typeof minutes === 'number') onChange(minutes);
      }}
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

interface ConditionProps {
  readonly draft: ConditionDraft;
  /** Whose figure is compared; null: none is chosen yet. */
  readonly datasourceId: string | null;
  readonly onChange: (draft: ConditionDraft) => void;
}

const TYPES = [
  { value: 'always', label: 'Every time' },
  { value: 'new_data', label: 'When rows have changed' },
  { value: 'threshold', label: 'When a figure passes a limit' },
];

/** Which turns of the schedule are worth a run. */
export function ConditionFields({ draft, datasourceId, onChange }: ConditionProps): ReactNode {
  return (
    <Stack gap="md">
      <NativeSelect
        label="Runs"
        w={260}
        data={TYPES}
        value={draft.type}
        onChange={({ currentTarget }) => {
          onChange({ ...draft, type: currentTarget.value as ConditionDraft['type'] });
        }}
      />
      {draft.type === 'threshold' && <Threshold draft={draft} datasourceId={datasourceId} onChange={onChange} />}
    </Stack>
  );
}

const AGGREGATES = [
  { value: 'avg', label: 'average' },
  { value: 'sum', label: 'total' },
  { value: 'min', label: 'lowest' },
  { value: 'max', label: 'highest' },
  { value: 'median', label: 'median' },
  { value: 'count', label: 'number of rows' },
];
const OPERATORS = ['>', '>=', '<', '<=', '=', '!='];

function Threshold({ draft, datasourceId, onChange }: ConditionProps): ReactNode {
  const summary = useQuery({ ...summaryQuery(datasourceId ?? ''), enabled: datasourceId !== null });
  const numbers = (summary.data?.columns ?? []).filter(({ type }) => type === 'number' || type === 'integer');
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label="Figure"
        data={AGGREGATES}
        value={draft.aggregate}
        onChange={({ currentTarget }) => {
          const aggregate = currentTarget.value as ConditionDraft['aggregate'];
          onChange({ ...draft, aggregate, column: aggregate === 'count' ? null : draft.column });
        }}
      />
      {draft.aggregate !== 'count' && (
        <Select
          label="of"
          placeholder={datasourceId === null ? 'Choose a datasource first' : 'Column'}
          data={numbers.map(({ name }) => name)}
          value={draft.column}
          onChange={(column) => {
            onChange({ ...draft, column });
          }}
        />
      )}
      <NativeSelect
        label="is"
        data={OPERATORS}
        value={draft.operator}
        onChange={({ currentTarget }) => {
          onChange({ ...draft, operator: currentTarget.value as ConditionDraft['operator'] });
        }}
      />
      <NumberInput
        label="Limit"
        w={140}
        value={draft.value}
        onChange={(value) => {
          if (typeof value === 'number') onChange({ ...draft, value });
        }}
      />
    </Group>
  );
}
