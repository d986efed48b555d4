import { t } from '@lingui/core/macro';
import { Button, Group, MultiSelect, SegmentedControl, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { datasourceListQuery } from '../../shared/queries.js';
import { useChange } from '../../shared/use-change.js';
import { switchField, textField, type Draft, type Field, useDraft } from '../../ui/form.js';
import { Page } from '../../ui/page.js';
import { RecipientsField } from '../../ui/recipients-field.js';
import { Failure } from '../../ui/states.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import {
  conditionOf,
  ConditionFields,
  isWholeRhythm,
  RhythmFields,
  SOME_CONDITION,
  type ConditionDraft,
  type Rhythm,
} from './schedule-fields.js';
import { taskKeys } from './tasks.queries.js';
import classes from './tasks.module.css';

interface Task {
  readonly name: string;
  readonly prompt: string;
  readonly datasources: readonly string[];
  readonly mode: 'solve' | 'report';
  readonly thinking: boolean;
  readonly runsByItself: boolean;
  readonly rhythm: Rhythm;
  readonly condition: ConditionDraft;
  readonly emails: readonly string[];
}

const EMPTY: Task = {
  name: '',
  prompt: '',
  datasources: [],
  mode: 'solve',
  thinking: false,
  runsByItself: false,
  rhythm: { minutes: 60, at: null },
  condition: SOME_CONDITION,
  emails: [],
};

/** What is to be found out, about what, how, and when. */
export function NewTaskPage(): ReactNode {
  const navigate = useNavigate();
  const form = useDraft(EMPTY);
  const { draft } = form;
  const create = useChange({
    change: () => call(api.POST('/api/v1/secure/agent/task', { body: bodyOf(draft) })),
    says: ({ task }) => t`“${task.name}” was created.`,
    done: ({ task }) => navigate({ to: '/tasks/$id', params: { id: task.id }, ignoreBlocker: true }),
    stale: [taskKeys.all],
  });
  useUnsaved(draft.prompt !== '', t`The task is not created. Leave without it?`);
  const isComplete =
    draft.name.trim() !== '' &&
    draft.prompt.trim() !== '' &&
    draft.datasources.length > 0 &&
    isWholeRhythm(draft.rhythm);
  return (
    <Page title={t`New task`} crumbs={[{ label: t`Agent tasks`, to: '/tasks' }]}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Stack gap="lg" maw={720}>
          <What {...form} />
          <How {...form} />
          <When {...form} />
          {create.error !== null && <Failure error={create.error} title={t`The task was not created`} />}
          <Group>
            <Button type="submit" loading={create.isPending} disabled={!isComplete}>
              {t`Create task`}
            </Button>
            <Button component={Link} to="/tasks" ignoreBlocker variant="default">
              {t`Cancel`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}

function bodyOf({ name, prompt, datasources, mode, thinking, runsByItself, rhythm, condition, emails }: Task) {
  return {
    name: name.trim(),
    prompt: prompt.trim(),
    datasources: [...datasources],
    mode,
    thinking,
    automation_enabled: runsByItself,
    automation_interval: rhythm.minutes,
    automation_at: rhythm.at,
    notify_emails: [...emails],
    ...(runsByItself ? { condition: conditionOf(condition, datasources[0] ?? '') } : {}),
  };
}

function What({ field }: Draft<Task>): ReactNode {
  return (
    <Stack gap="md" className={`card ${classes.part ?? ''}`}>
      <TextInput label={t`Name`} required maxLength={200} {...textField(field('name'))} />
      <Textarea
        label={t`What do you want to know?`}
        description={t`One question or several, in your own words`}
        required
        autosize
        minRows={3}
        maxRows={12}
        maxLength={8000}
        {...textField(field('prompt'))}
      />
      <Datasources {...field('datasources')} />
    </Stack>
  );
}

const LOOK_AFTER_MS = 200;

function Datasources({ value: chosen, onChange }: Field<readonly string[]>): ReactNode {
  const [search, setSearch] = useState('');
  const [known, setKnown] = useState<Readonly<Record<string, string>>>({});
  const [looked] = useDebouncedValue(search.trim(), LOOK_AFTER_MS);
  const found = useQuery(datasourceListQuery(looked, 0)).data?.datasources ?? [];
  const names = { ...known, ...Object.fromEntries(found.map(({ id, name }) => [id, name])) };
  const shown = [...new Set([...chosen, ...found.map(({ id }) => id)])];
  return (
    <MultiSelect
      label={t`Datasources`}
      description={t`1 to 20`}
      required
      searchable
      hidePickedOptions
      maxValues={20}
      placeholder={chosen.length === 0 ? t`Search by name` : ''}
      nothingFoundMessage={t`Nothing found`}
      data={shown.map((id) => ({ value: id, label: names[id] ?? id }))}
      filter={({ options }) => options}
      searchValue={search}
      onSearchChange={setSearch}
      value={[...chosen]}
      onChange={(ids) => {
        setKnown(names);
        onChange(ids);
      }}
    />
  );
}

function How({ draft: { mode, thinking, rhythm }, change }: Draft<Task>): ReactNode {
  return (
    <Stack gap="md" className={`card ${classes.part ?? ''}`}>
      <div>
        <Text size="sm" fw={500} id="mode">
          {t`Result`}
        </Text>
        <SegmentedControl
          mt={4}
          aria-labelledby="mode"
          data={[
            { value: 'solve', label: t`An answer` },
            { value: 'report', label: t`A report` },
          ]}
          value={mode}
          onChange={(value) => {
            change({ mode: value === 'report' ? 'report' : 'solve' });
          }}
        />
      </div>
      <Switch
        label={t`Think it through`}
        description={t`Plans first, works in several rounds and checks its figures. This takes longer.`}
        checked={thinking}
        onChange={({ currentTarget: { checked } }) => {
          // Only a few intervals are allowed then; one of them fits everybody.
          change({ thinking: checked, rhythm: checked ? { ...rhythm, minutes: 60 } : rhythm });
        }}
      />
    </Stack>
  );
}

function When({ draft: { runsByItself, thinking, datasources }, field }: Draft<Task>): ReactNode {
  return (
    <Stack gap="md" className={`card ${classes.part ?? ''}`}>
      <Switch
        label={t`Run automatically`}
        description={t`Otherwise the task only runs on demand.`}
        {...switchField(field('runsByItself'))}
      />
      {runsByItself && (
        <>
          <RhythmFields thinking={thinking} {...field('rhythm')} />
          <ConditionFields datasourceId={datasources[0] ?? null} {...field('condition')} />
        </>
      )}
      <RecipientsField {...field('emails')} />
    </Stack>
  );
}
