import { Alert, Radio, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconCalendarQuestion } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, call } from '../../../app/client.js';
import { inWords } from '../../../shared/time-layout.js';

/** How the service reads one timestamp. */
export function timeFormatQuery(timestamp: string) {
  return queryOptions({
    queryKey: ['time-format', timestamp],
    queryFn: ({ signal }) =>
      call(api.POST('/api/v1/secure/datasource/detect-timeformat', { body: { timestamp }, signal })),
    staleTime: Infinity,
    retry: false,
    enabled: timestamp !== '',
  });
}

interface TimeFormatProps {
  readonly sample: string;
  /** Empty: as the service detects it. */
  readonly value: string;
  readonly onChange: (layout: string) => void;
}

/** Shows the first timestamp as it is understood; asks when it can be read in two ways, or not at all. */
export function TimeFormat({ sample, value, onChange }: TimeFormatProps): ReactNode {
  const { data: detected, error } = useQuery(timeFormatQuery(sample));
  if (sample === '') return <LayoutInput value={value} onChange={onChange} problem="The first row has no time." />;
  if (error !== null)
    return <LayoutInput value={value} onChange={onChange} problem={`“${sample}” is not recognised.`} />;
  if (detected === undefined) return <Skeleton h={44} />;
  if (detected.ambiguous.length > 0) {
    const layouts = [detected.timeformat, ...detected.ambiguous];
    return <Readings sample={sample} layouts={layouts} value={value} onChange={onChange} />;
  }
  return (
    <Text size="sm">
      <span className="mono">{sample}</span> is read as{' '}
      <b>{inWords(detected.timeformat, sample) ?? detected.timeformat}</b>
      <Text component="span" size="sm" c="dimmed">
        {' '}
        (<span className="mono">{detected.timeformat}</span>)
      </Text>
    </Text>
  );
}

interface ReadingsProps extends TimeFormatProps {
  readonly layouts: readonly string[];
}

function Readings({ sample, layouts, value, onChange }: ReadingsProps): ReactNode {
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconCalendarQuestion size={18} />}
      title="Which of the numbers is the month?"
    >
      <Radio.Group value={value} onChange={onChange} label={<>The first row says {sample}. That is</>}>
        <Stack gap="xs" mt="xs">
          {layouts.map((layout) => (
            <Radio key={layout} value={layout} label={inWords(layout, sample) ?? layout} description={layout} />
          ))}
        </Stack>
      </Radio.Group>
    </Alert>
  );
}

interface LayoutInputProps {
  readonly value: string;
  readonly onChange: (layout: string) => void;
  readonly problem: string;
}

function LayoutInput({ value, onChange, problem }: LayoutInputProps): ReactNode {
  return (
    <TextInput
      label="How times are written"
      description={`${problem} Say it like yyyy-MM-dd HH:mm:ss, %Y-%m-%d, unix or unix_ms; empty, the service looks at all rows.`}
      placeholder="yyyy-MM-dd HH:mm:ss"
      maxLength={100}
      value={value}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value);
      }}
    />
  );
}
