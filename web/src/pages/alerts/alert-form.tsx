import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Group, NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useChange } from '../../shared/use-change.js';
import { Form, switchField, textField, useDraft } from '../../ui/form.js';
import { RecipientsField } from '../../ui/recipients-field.js';
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
  const { draft, change, field } = useDraft(start);
  const saving = useChange({
    change: () => save(draft),
    done: onClose,
    stale: [alertKeys.all],
  });
  return (
    <Form
      saving={saving}
      problem={t`The alert was not saved`}
      action={action}
      disabled={draft.name.trim() === '' || !isWholeRhythm(draft.rhythm)}
      onSubmit={saving.mutate}
      onCancel={onClose}
    >
      <TextInput label={t`Name`} required maxLength={200} {...textField(field('name'))} />
      <ConditionFields draft={draft} change={change} />
      <RhythmFields {...field('rhythm')} />
      <RecipientsField {...field('emails')} />
      <Switch label={t`Notify the company’s webhook`} {...switchField(field('webhook'))} />
    </Form>
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
