import { Button, Group, MultiSelect, SegmentedControl, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { datasourceListQuery } from '../../shared/queries.js';
import { told } from '../../shared/toast.js';
import { Page } from '../../ui/page.js';
import { Failure } from '../../ui/states.js';
import { IntervalField, conditionOf, ConditionFields, SOME_CONDITION, type ConditionDraft } from './schedule-fields.js';
import { taskKeys } from './tasks.queries.js';
import classes from './tasks.module.css';

interface Draft {
  readonly name: string;
  readonly prompt: string;
  readonly datasources: readonly string[];
  readonly mode: 'solve' | 'report';
  readonly thinking: boolean;
  readonly runsByItself: boolean;
  readonly interval: number;
  readonly condition: ConditionDraft;
}

const EMPTY: Draft = {
  name: '',
  prompt: '',
  datasources: [],
  mode: 'solve',
  thinking: false,
  runsByItself: false,
  interval: 60,
  condition: SOME_CONDITION,
};

/** What is to be found out, about what, how, and when. */
export function NewTaskPage(): ReactNode {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(EMPTY);
  const change = (changes: Partial<Draft>): void => {
    setDraft((known) => ({ ...known, ...changes }));
  };
  const create = useMutation({
    mutationFn: () => call(api.POST('/api/v1/secure/agent/task', { body: bodyOf(draft) })),
    onSuccess: async ({ task }) => {
      told(`“${task.name}” was made`);
      void queries.invalidateQueries({ queryKey: taskKeys.all });
      await navigate({ to: '/tasks/$id', params: { id: task.id } });
    },
  });
  const isComplete = draft.name.trim() !== '' && draft.prompt.trim() !== '' && draft.datasources.length > 0;
  return (
    <Page title="New task" crumbs={[{ label: 'Agent tasks', to: '/tasks' }]}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Stack gap="lg" maw={720}>
          <What draft={draft} change={change} />
          <How draft={draft} change={change} />
          <When draft={draft} change={change} />
          {create.error !== null && <Failure error={create.error} title="The task was not made" />}
          <Group>
            <Button type="submit" loading={create.isPending} disabled={!isComplete}>
              Make the task
            </Button>
            <Button component={Link} to="/tasks" variant="default">
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}

function bodyOf({ name, prompt, datasources, mode, thinking, runsByItself, interval, condition }: Draft) {
  return {
    name: name.trim(),
    prompt: prompt.trim(),
    datasources: [...datasources],
    mode,
    thinking,
    automation_enabled: runsByItself,
    automation_interval: interval,
    ...(runsByItself ? { condition: conditionOf(condition, datasources[0] ?? '') } : {}),
  };
}

interface PartProps {
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
}

function What({ draft, change }: PartProps): ReactNode {
  return (
    <Stack gap="md" className={`card ${classes.part ?? ''}`}>
      <TextInput
        label="Name"
        required
        maxLength={200}
        value={draft.name}
        onChange={({ currentTarget }) => {
          change({ name: currentTarget.value });
        }}
      />
      <Textarea
        label="What is to be found out?"
        description="One question, or several, in your own words"
        required
        autosize
        minRows={3}
        maxRows={12}
        maxLength={8000}
        value={draft.prompt}
        onChange={({ currentTarget }) => {
          change({ prompt: currentTarget.value });
        }}
      />
      <Datasources
        chosen={draft.datasources}
        onChange={(datasources) => {
          change({ datasources });
        }}
      />
    </Stack>
  );
}

const LOOK_AFTER_MS = 200;

interface DatasourcesProps {
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

function Datasources({ chosen, onChange }: DatasourcesProps): ReactNode {
  const [search, setSearch] = useState('');
  const [known, setKnown] = useState<Readonly<Record<string, string>>>({});
  const [looked] = useDebouncedValue(search.trim(), LOOK_AFTER_MS);
  const found = useQuery(datasourceListQuery(looked, 0)).data?.datasources ?? [];
  const names = { ...known, ...Object.fromEntries(found.map(({ id, name }) => [id, name])) };
  const shown = [...new Set([...chosen, ...found.map(({ id }) => id)])];
  return (
    <MultiSelect
      label="Datasources"
      description="1 to 20"
      required
      searchable
      hidePickedOptions
      maxValues={20}
      placeholder={chosen.length === 0 ? 'Search by name' : ''}
      nothingFoundMessage="No datasource by that name"
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

function How({ draft: { mode, thinking, interval }, change }: PartProps): ReactNode {
  return (
    <Stack gap="md" className={`card ${classes.part ?? ''}`}>
      <div>
        <Text size="sm" fw={500} id="mode">
          Result
        </Text>
        <SegmentedControl
          mt={4}
          aria-labelledby="mode"
          data={[
            { value: 'solve', label: 'An answer' },
            { value: 'report', label: 'A report' },
          ]}
          value={mode}
          onChange={(value) => {
            change({ mode: value === 'report' ? 'report' : 'solve' });
          }}
        />
      </div>
      <Switch
        label="Think it through"
        description="Plans first, looks in several rounds, and checks its figures; takes longer"
        checked={thinking}
        onChange={({ currentTarget: { checked } }) => {
          // Only a few intervals are allowed then; one of them fits everybody.
          change({ thinking: checked, interval: checked ? 60 : interval });
        }}
      />
    </Stack>
  );
}

function When({ draft, change }: PartProps): ReactNode {
  const { runsByItself, interval, thinking, condition, datasources } = draft;
  return (
    <Stack gap="md" className={`card ${classes.part ?? ''}`}>
      <Switch
        label="Run by itself"
        description="Without it the task runs when somebody asks for it"
        checked={runsByItself}
        onChange={({ currentTarget }) => {
          change({ runsByItself: currentTarget.checked });
        }}
      />
      {runsByItself && (
        <>
          <IntervalField
            value={interval}
            thinking={thinking}
            onChange={(minutes) => {
              change({ interval: minutes });
            }}
          />
          <ConditionFields
            draft={condition}
            datasourceId={datasources[0] ?? null}
            onChange={(changed) => {
              change({ condition: changed });
            }}
          />
        </>
      )}
    </Stack>
  );
}
