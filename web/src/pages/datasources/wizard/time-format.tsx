import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Radio, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Upload } from '../../../shared/wire.js';
import { percent } from '../../../shared/format.js';
import { inWords } from '../../../shared/time-layout.js';
import { typed } from '../../../ui/form.js';
import { IconCalendarQuestion } from '../../../ui/icons.js';

type TimeColumn = Upload['times'][number];

interface TimeFormatProps {
  /** What all sampled rows say, or most of them; undefined: they are not times that the service knows. */
  readonly detected: TimeColumn | undefined;
  /** The first row's. */
  readonly sample: string;
  /** Empty: as the service detects it. */
  readonly value: string;
  readonly onChange: (layout: string) => void;
}

/** Shows a time of the file as it is understood; asks when all rows can be read in two ways, or not at all. */
export function TimeFormat({ detected, sample, value, onChange }: TimeFormatProps): ReactNode {
  if (detected === undefined) {
    const problem = sample === '' ? t`The first row has no time.` : t`“${sample}” is not recognised.`;
    return <LayoutInput value={value} onChange={onChange} problem={problem} />;
  }
  const { timeformat: layout, ambiguous, example, share, misfit } = detected;
  if (ambiguous.length > 0)
    return <Readings sample={example} layouts={[layout, ...ambiguous]} value={value} onChange={onChange} />;
  return (
    <Stack gap="xs">
      <Text size="sm">
        <Trans>
          <span className="mono">{example}</span> is read as <b>{inWords(layout, example) ?? layout}</b>
          <Text component="span" size="sm" c="dimmed">
            {' '}
            (<span className="mono">{layout}</span>)
          </Text>
        </Trans>
      </Text>
      {misfit !== '' && (
        <Alert color="yellow" variant="light" icon={<IconCalendarQuestion size={18} />}>
          {t`${percent(1 - share)} of the rows are not written like this, such as “${misfit}”. They will be skipped.`}
        </Alert>
      )}
    </Stack>
  );
}

interface ReadingsProps extends Omit<TimeFormatProps, 'detected'> {
  readonly layouts: readonly string[];
}

function Readings({ sample, layouts, value, onChange }: ReadingsProps): ReactNode {
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconCalendarQuestion size={18} />}
      title={t`Which number is the month?`}
    >
      <Radio.Group value={value} onChange={onChange} label={t`The rows leave this open. What does ${sample} mean?`}>
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
      label={t`Time format`}
      description={t`${problem} Write it like yyyy-MM-dd HH:mm:ss, %Y-%m-%d, unix or unix_ms.`}
      placeholder="yyyy-MM-dd HH:mm:ss"
      maxLength={100}
      value={value}
      onChange={typed(onChange)}
    />
  );
}
