import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { ActionIcon, Group, Popover, Select, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { rowTime } from '../../../shared/format.js';
import { IconCalendar, IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut } from '../../../ui/icons.js';
import { OwnRange } from '../../../ui/own-range.js';
import { lastOf, scaled, shifted, usefulPresets, type Range } from './ranges.js';

interface RangePickerProps {
  /** Empty: open. */
  readonly range: Range;
  readonly whole: Range | null;
  readonly onChange: (range: Range | null) => void;
}

/** Which stretch of time: a preset, two moments, or the neighbour of what is shown. */
export function RangePicker({ range, whole, onChange }: RangePickerProps): ReactNode {
  const isOpen = range.from === '' && range.to === '';
  const shown = shownOf(range, whole);
  const step = (label: string, icon: ReactNode, next: () => Range | null, isUseful = !isOpen): ReactNode => (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={label}
        disabled={!isUseful}
        onClick={() => {
          onChange(next());
        }}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
  return (
    <Group gap={4} align="flex-end">
      <PresetPicker range={range} whole={whole} onChange={onChange} />
      <Group gap={4} wrap="nowrap">
        <OwnRangeButton shown={shown} onChange={onChange} />
        {step(t`Earlier`, <IconChevronLeft size={18} />, () => shifted(shown, -0.5))}
        {step(t`Later`, <IconChevronRight size={18} />, () => shifted(shown, 0.5))}
        {step(t`Zoom in`, <IconZoomIn size={18} />, () => scaled(shown, 0.5), whole !== null)}
        {step(t`Zoom out`, <IconZoomOut size={18} />, () => unlessAll(scaled(shown, 2), whole))}
      </Group>
    </Group>
  );
}

/** Null where it would show everything. */
function unlessAll(range: Range, whole: Range | null): Range | null {
  return whole !== null && range.from <= whole.from && range.to > whole.to ? null : range;
}

/** Open ends are the first and the last row. */
function shownOf({ from, to }: Range, whole: Range | null): Range {
  return { from: from === '' ? (whole?.from ?? '') : from, to: to === '' ? (whole?.to ?? '') : to };
}

function PresetPicker({ range, whole, onChange }: RangePickerProps): ReactNode {
  const presets =
    whole === null ? [] : usefulPresets(whole).map((preset) => ({ ...preset, range: lastOf(preset.ms, whole) }));
  const chosen = presets.find((preset) => preset.range.from === range.from && preset.range.to === range.to);
  const value = range.from === '' && range.to === '' ? 'all' : (chosen?.key ?? 'own');
  return (
    <Select
      label={t`Time`}
      data={[
        { value: 'all', label: t`All time` },
        ...presets.map(({ key, label }) => ({ value: key, label: i18n._(label) })),
        ...(value === 'own' ? [{ value: 'own', label: t`Custom` }] : []),
      ]}
      value={value}
      allowDeselect={false}
      flex="1 0 190px"
      onChange={(key) => {
        if (key !== 'own') onChange(presets.find((one) => one.key === key)?.range ?? null);
      }}
    />
  );
}

interface OwnRangeProps {
  readonly shown: Range;
  readonly onChange: (range: Range) => void;
}

function OwnRangeButton({ shown, onChange }: OwnRangeProps): ReactNode {
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <Popover opened={isOpen} onDismiss={close} trapFocus withArrow position="bottom">
      <Popover.Target>
        <Tooltip label={t`Choose a period`}>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t`Choose a period`}
            aria-expanded={isOpen}
            onClick={toggle}
          >
            <IconCalendar size={18} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <OwnRange
          key={`${shown.from}${shown.to}`}
          start={shown}
          onChoose={(range) => {
            onChange(range);
            close();
          }}
        >
          <Text size="xs" c="dimmed">
            {shown.from !== '' && t`Shown: ${rowTime(shown.from)} to ${rowTime(shown.to)}`}
          </Text>
        </OwnRange>
      </Popover.Dropdown>
    </Popover>
  );
}
