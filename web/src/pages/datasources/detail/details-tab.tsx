import { Button, Group, Spoiler, Stack, Table, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { api, call } from '../../../app/client.js';
import { bytes, counted, duration, moment, TIME_ZONE } from '../../../shared/format.js';
import { keys } from '../../../shared/keys.js';
import { told } from '../../../shared/toast.js';
import type { Datasource } from '../../../shared/wire.js';
import { Failure } from '../../../ui/states.js';
import { DeleteDatasource } from './delete-datasource.js';

/** Its name and context, how its rows are read, and its end. */
export function DetailsTab({ datasource }: { readonly datasource: Datasource }): ReactNode {
  return (
    <>
      <EditForm key={datasource.id} datasource={datasource} />
      <Stack component="section" gap="sm">
        <Title order={2}>How its rows are read</Title>
        <Facts datasource={datasource} />
      </Stack>
      <Stack component="section" gap="sm" align="flex-start">
        <Title order={2}>Delete</Title>
        <Text size="sm" c="dimmed">
          Its creator and managers can delete it.
        </Text>
        <DeleteDatasource datasource={datasource} />
      </Stack>
    </>
  );
}

function EditForm({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const [name, setName] = useState(datasource.name);
  const [context, setContext] = useState(datasource.config.context);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      call(api.PATCH('/api/v1/secure/datasource', { body: { id: datasource.id, name: name.trim(), context } })),
    onSuccess: ({ datasource: saved }) => {
      queries.setQueryData(keys.datasource(saved.id), saved);
      void queries.invalidateQueries({ queryKey: [...keys.datasources, 'list'] });
      told('Saved.');
    },
  });
  const isChanged = name.trim() !== datasource.name || context !== datasource.config.context;
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    save.mutate();
  }
  return (
    <Stack component="form" gap="md" maw={640} onSubmit={submit}>
      <TextInput
        label="Name"
        required
        withAsterisk={false}
        maxLength={200}
        value={name}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value);
        }}
      />
      <Textarea
        label="Context"
        description="What the columns mean, their units, what is special. The assistant reads it with every question."
        autosize
        minRows={3}
        maxRows={16}
        maxLength={20_000}
        value={context}
        onChange={({ currentTarget }) => {
          setContext(currentTarget.value);
        }}
      />
      {save.error !== null && <Failure error={save.error} title="It was not saved" />}
      <Group>
        <Button type="submit" disabled={!isChanged || name.trim() === ''} loading={save.isPending}>
          Save
        </Button>
      </Group>
    </Stack>
  );
}

/** Four lines. */
const FOLDED_HEIGHT = 88;

function Facts({ datasource }: { readonly datasource: Datasource }): ReactNode {
  return (
    <Table variant="vertical" layout="fixed" withTableBorder className="card" aria-label="How its rows are read">
      <Table.Tbody>
        {factsOf(datasource).map(([what, fact]) => (
          <Table.Tr key={what}>
            <Table.Th w={{ base: 120, sm: 200 }}>{what}</Table.Th>
            <Table.Td className="numbers" style={{ overflowWrap: 'anywhere' }}>
              <Spoiler
                maxHeight={FOLDED_HEIGHT}
                showLabel="Show all"
                hideLabel="Show less"
                styles={{ control: { fontSize: 'inherit' } }}
              >
                {fact}
              </Spoiler>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function factsOf({
  config,
  d_files: files,
  created_at: created,
  id,
}: Datasource): readonly (readonly [string, string])[] {
  const kept = config.lifespan === 0 ? 'for ever' : `${duration(config.lifespan)} from their time on`;
  return [
    ['Time column', config.is_timeseries ? config.timefield : 'none: rows have the time of their insertion'],
    ...(config.is_timeseries ? [['Time format', `${config.timeformat} (UTC, unless it names a zone)`] as const] : []),
    ['Subject column', config.metafield],
    ['Measured', config.values.length === 0 ? 'none' : config.values.join(', ')],
    ['Rows are kept', kept],
    ...files
      .map(({ file, size, rows }) => ['File', `${file} · ${bytes(size)} · ${counted(rows, 'row')}`] as const)
      .slice(0, 20),
    ['Created', `${moment(created)} (${TIME_ZONE})`],
    ['Id for the API', id],
  ];
}
