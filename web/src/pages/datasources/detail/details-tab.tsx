import { plural, t } from '@lingui/core/macro';
import { Button, Group, Spoiler, Stack, Table, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../../app/client.js';
import { bytes, duration, moment, TIME_ZONE } from '../../../shared/format.js';
import { keys } from '../../../shared/keys.js';
import { useChange } from '../../../shared/use-change.js';
import type { Datasource } from '../../../shared/wire.js';
import { typed } from '../../../ui/form.js';
import { Failure } from '../../../ui/states.js';
import { useUnsaved } from '../../../ui/use-unsaved.js';
import { ColumnRoles } from './column-roles.js';
import { DeleteDatasource } from './delete-datasource.js';
import { PlaceSection } from './place-section.js';

/** Its name and context, how its rows are read, and its end. */
export function DetailsTab({ datasource }: { readonly datasource: Datasource }): ReactNode {
  return (
    <Stack gap="xl">
      <EditForm key={datasource.id} datasource={datasource} />
      {datasource.place !== null && <PlaceSection datasource={datasource} place={datasource.place} />}
      <Stack component="section" gap="sm">
        <Title order={2}>{t`How the rows are read`}</Title>
        <Facts datasource={datasource} />
      </Stack>
      <ColumnRoles datasource={datasource} />
      <Stack component="section" gap="sm" align="flex-start">
        <Title order={2}>{t`Delete`}</Title>
        <Text size="sm" c="dimmed">
          {t`Its creator and managers can delete it.`}
        </Text>
        <DeleteDatasource datasource={datasource} />
      </Stack>
    </Stack>
  );
}

function EditForm({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const [name, setName] = useState(datasource.name);
  const [context, setContext] = useState(datasource.config.context);
  useUnsaved(name.trim() !== datasource.name || context !== datasource.config.context);
  const queries = useQueryClient();
  const save = useChange({
    change: () =>
      call(api.PATCH('/api/v1/secure/datasource', { body: { id: datasource.id, name: name.trim(), context } })),
    says: t`Saved.`,
    done: ({ datasource: saved }) => {
      queries.setQueryData(keys.datasource(saved.id), saved);
    },
    stale: [[...keys.datasources, 'list']],
  });
  return (
    <Stack
      component="form"
      gap="md"
      maw={640}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <TextInput label={t`Name`} required withAsterisk={false} maxLength={200} value={name} onChange={typed(setName)} />
      <Textarea
        label={t`Context`}
        description={t`What the columns mean, their units, anything special. The assistant reads it with every question.`}
        autosize
        minRows={3}
        maxRows={16}
        maxLength={20_000}
        value={context}
        onChange={typed(setContext)}
      />
      {save.error !== null && <Failure error={save.error} title={t`The changes were not saved`} />}
      <Group>
        <Button type="submit" disabled={name.trim() === ''} loading={save.isPending}>
          {t`Save`}
        </Button>
      </Group>
    </Stack>
  );
}

/** Four lines. */
const FOLDED_HEIGHT = 88;

function Facts({ datasource }: { readonly datasource: Datasource }): ReactNode {
  return (
    <Table variant="vertical" layout="fixed" withTableBorder className="card" aria-label={t`How the rows are read`}>
      <Table.Tbody>
        {factsOf(datasource).map(([what, fact]) => (
          <Table.Tr key={what}>
            <Table.Th w={{ base: 140, sm: 200 }}>{what}</Table.Th>
            <Table.Td className="numbers" style={{ overflowWrap: 'anywhere' }}>
              <Spoiler
                maxHeight={FOLDED_HEIGHT}
                showLabel={t`Show all`}
                hideLabel={t`Show less`}
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
  const kept = config.lifespan === 0 ? t`forever` : t`${duration(config.lifespan)} after their time`;
  return [
    [t`Time column`, config.is_timeseries ? config.timefield : t`none: rows get the time they are inserted`],
    ...(config.is_timeseries ? [[t`Time format`, t`${config.timeformat} (UTC, unless it names a zone)`] as const] : []),
    [t`Subject column`, config.metafield],
    [t`Measured`, config.values.length === 0 ? t`none` : config.values.join(', ')],
    [t`Rows are kept`, kept],
    ...files
      .map(
        ({ file, size, rows }) =>
          [t`File`, [file, bytes(size), plural(rows, { one: '# row', other: '# rows' })].join(' · ')] as const,
      )
      .slice(0, 20),
    [t`Created`, `${moment(created)} (${TIME_ZONE})`],
    [t`ID for the API`, id],
  ];
}
