import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NativeSelect, NumberInput, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { RecipientsField } from '../../ui/recipients-field.js';
import { Failure } from '../../ui/states.js';
import { isWholeRhythm, RhythmFields, type Rhythm } from '../tasks/schedule-fields.js';
import { type Alert, alertKeys } from './alerts.queries.js';

type ConditionType = Alert['condition']['type'];

/** What an alert is besides its figure. */
export interface AlertDraft {
  readonly name: string;
  readonly type: ConditionType;
  readonly value: number;
  readonly percent: number;
  readonly rhythm: Rhythm;
  readonly emails: readonly string[];
  readonly webhook: boolean;
}

/** As the service takes it. */
export function alertBodyOf({ name, type, value, percent, rhythm, emails, webhook }: AlertDraft) {
  return {
    name: name.trim(),
    condition: { type, ...(type === 'changes' ? { percent } : type === 'no_data' ? {} : { value }) },
    check_interval: rhythm.minutes,
    check_at: rhythm.at,
    notify_emails: [...emails],
    webhook,
  };
}

const TYPES = {
  above: msg`is above`,
  below: msg`is below`,
  changes: msg`changes by`,
  no_data: msg`has no data`,
} as const satisfies Record<ConditionType, unknown>;

interface AlertFormProps {
  readonly start: AlertDraft;
  /** What the button says. */
  readonly action: string;
  readonly save: (draft: AlertDraft) => Promise<unknown>;
  readonly onClose: () => void;
}

/** The fields of an alert, to make one or to change it. */
export function AlertForm({ start, action, save, onClose }: AlertFormProps): ReactNode {
  const queries = useQueryClient();
  const [draft, setDraft] = useState(start);
  const change = (changes: Partial<AlertDraft>): void => {
    setDraft((known) => ({ ...known, ...changes }));
  };
  const saving = useMutation({
    mutationFn: () => save(draft),
    onSuccess: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: alertKeys.all });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Stack gap="md">
        <TextInput
          label={t`Name`}
          required
          maxLength={200}
          value={draft.name}
          onChange={({ currentTarget }) => {
            change({ name: currentTarget.value });
          }}
        />
        <ConditionFields draft={draft} change={change} />
        <RhythmFields
          value={draft.rhythm}
          onChange={(rhythm) => {
            change({ rhythm });
          }}
        />
        <RecipientsField
          value={draft.emails}
          onChange={(emails) => {
            change({ emails });
          }}
        />
        <Switch
          label={t`Notify the company’s webhook`}
          checked={draft.webhook}
          onChange={({ currentTarget }) => {
            change({ webhook: currentTarget.checked });
          }}
        />
        {saving.error !== null && <Failure error={saving.error} title={t`The alert was not saved`} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            type="submit"
            loading={saving.isPending}
            disabled={draft.name.trim() === '' || !isWholeRhythm(draft.rhythm)}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ConditionProps {
  readonly draft: AlertDraft;
  readonly change: (changes: Partial<AlertDraft>) => void;
}

function ConditionFields({ draft: { type, value, percent }, change }: ConditionProps): ReactNode {
  return (
    <Group gap="sm" align="flex-end">
      <NativeSelect
        label={t`When the figure`}
        data={Object.entries(TYPES).map(([name, label]) => ({ value: name, label: i18n._(label) }))}
        value={type}
        onChange={({ currentTarget }) => {
          change({ type: currentTarget.value as ConditionType });
        }}
      />
      {(type === 'above' || type === 'below') && (
        <NumberInput
          label={t`Limit`}
          w={210}
          value={value}
          onChange={(limit) => {
            if (typeof limit === 'number') change({ value: limit });
          }}
        />
      )}
      {type === 'changes' && (
        <NumberInput
          label={t`Percent since the last check`}
          w={240}
          min={0.01}
          value={percent}
          onChange={(share) => {
            if (typeof share === 'number' && share > 0) change({ percent: share });
          }}
        />
      )}
    </Group>
  );
}
