import { t } from '@lingui/core/macro';
import { Chip, Group, Input, Select, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { TIME_ZONE } from '../shared/format.js';
import { LOCALE } from '../shared/language.js';
import type { Wire } from '../shared/wire.js';
import { chosen, fieldsOf, textField, type Field } from './form.js';

export type WeeklyTime = Wire['WeeklyTimeBody'];
type Day = WeeklyTime['days'][number];

const DAYS: readonly Day[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const WORKING: readonly Day[] = DAYS.slice(0, 5);
/** The 1st of January 2024 was a Monday. */
const NAMES = DAYS.map((_day, index) =>
  new Intl.DateTimeFormat(LOCALE, { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, 0, index + 1)),
);

/** Weekdays at eight, where the reader is. */
export const SOME_TIME: WeeklyTime = { days: [...WORKING], time: '08:00', time_zone: TIME_ZONE };

/** `every weekday at 08:00, Europe/Berlin`. */
export function weeklyWords({ days, time, time_zone: zone }: WeeklyTime): string {
  if (days.length === 7) return t`every day at ${time}, ${zone}`;
  if (days.length === 5 && WORKING.every((day) => days.includes(day))) return t`every weekday at ${time}, ${zone}`;
  const named = DAYS.flatMap((day, index) => (days.includes(day) ? [NAMES[index] ?? day] : []));
  const list = new Intl.ListFormat(LOCALE, { type: 'conjunction' }).format(named);
  return t`every ${list} at ${time}, ${zone}`;
}

function zones(chosen: string): string[] {
  return [...new Set([chosen, TIME_ZONE, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}

/** Days of the week, a time of day, and whose clocks tell it. */
export function WeeklyTimeFields({ value, onChange }: Field<WeeklyTime>): ReactNode {
  const field = fieldsOf(value, (changes) => {
    onChange({ ...value, ...changes });
  });
  return (
    <Stack gap="sm">
      <Input.Wrapper label={t`On`} labelElement="div" error={value.days.length === 0 ? t`Choose a day` : null}>
        <Chip.Group
          multiple
          value={[...value.days]}
          onChange={(chosen) => {
            onChange({ ...value, days: DAYS.filter((day) => chosen.includes(day)) });
          }}
        >
          <Group gap={6} mt={4} role="group" aria-label={t`Days of the week`}>
            {DAYS.map((day, index) => (
              <Chip key={day} value={day} size="sm" radius="sm">
                {NAMES[index]}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Input.Wrapper>
      <Group gap="sm" align="flex-end">
        <TextInput label={t`At`} type="time" required w={120} {...textField(field('time'))} />
        <Select
          label={t`Time zone`}
          searchable
          allowDeselect={false}
          w={260}
          data={zones(value.time_zone)}
          limit={200}
          value={value.time_zone}
          onChange={chosen(field('time_zone').onChange)}
        />
      </Group>
    </Stack>
  );
}
