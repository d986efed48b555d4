import { plural, t } from '@lingui/core/macro';
import { Button, Group, Stack, Table, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, type ReactNode, type SubmitEvent } from 'react';
import { api, call } from '../../../app/client.js';
import { keys } from '../../../shared/keys.js';
import { useChange } from '../../../shared/use-change.js';
import type { Upload } from '../../../shared/wire.js';
import { textField, type Draft, useDraft } from '../../../ui/form.js';
import { Failure } from '../../../ui/states.js';
import { TableHead } from '../../../ui/table-head.js';
import { ColumnsStep } from './columns-step.js';
import { changesOf, columnsOf, guess, nameTwice, sheetsOf, type Column, type ColumnChoice } from './columns.js';
import { Step } from './step.js';
import { TimeFormat } from './time-format.js';

interface Wanted extends ColumnChoice {
  readonly name: string;
  readonly timeformat: string;
  readonly context: string;
}

/** What the file does not say by itself, with a good guess in every place. */
export function CreateForm({ upload }: { readonly upload: Upload }): ReactNode {
  const columns = useMemo(() => columnsOf(upload), [upload]);
  const { draft, change, field } = useDraft(() => firstDraft(upload, columns));
  const sample = columns.find(({ name }) => name === draft.timefield)?.samples[0] ?? '';
  const detected = upload.times.find(({ column }) => column === draft.timefield);
  const missing = missingPart(draft, detected) ?? sameName(nameTwice(columns, draft));
  const create = useCreate(upload, columns);
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (missing === null) create.mutate(draft);
  }
  return (
    <Stack component="form" gap="md" onSubmit={submit}>
      <Step number={2} title={t`Columns`} hint={t`Detected from the file. Change what is wrong.`}>
        <ColumnsStep
          columns={columns}
          choice={draft}
          onChange={(choice) => {
            // Another column is written in another way.
            const timeformat = choice.timefield === draft.timefield ? draft.timeformat : '';
            change({ ...choice, timeformat });
          }}
        />
        <FirstRows upload={upload} />
        {draft.isTimeseries && draft.timefield !== '' && (
          <TimeFormat key={draft.timefield} detected={detected} sample={sample} {...field('timeformat')} />
        )}
      </Step>
      <Step number={3} title={t`Name and context`}>
        <Words field={field} />
        {create.error !== null && <Failure error={create.error} title={t`The datasource was not created`} />}
        <Group justify="flex-end" align="center">
          {missing !== null && (
            <Text size="sm" c="dimmed" role="status">
              {missing}
            </Text>
          )}
          <Button type="submit" disabled={missing !== null} loading={create.isPending}>
            {t`Create datasource`}
          </Button>
        </Group>
      </Step>
    </Stack>
  );
}

/** The beginning of the file, as it is parted into columns. */
export function FirstRows({ upload: { rows, columns } }: { readonly upload: Upload }): ReactNode {
  const [opened, { toggle }] = useDisclosure();
  const names = columns.find(({ length }) => length === rows[0]?.length) ?? [];
  return (
    <div>
      <Button size="compact-sm" variant="subtle" color="gray" aria-expanded={opened} onClick={toggle}>
        {opened
          ? t`Hide the first rows`
          : plural(rows.length, { one: 'Show the first row', other: 'Show the first # rows' })}
      </Button>
      {opened && (
        <Table.ScrollContainer minWidth={Math.min(names.length * 110, 1200)} maxHeight={360} mt="xs">
          <Table stickyHeader aria-label={t`First rows of the file`}>
            <TableHead names={names} />
            <Table.Tbody>
              {rows.map((row, line) => (
                <Table.Tr key={line}>
                  {row.map((cell, place) => (
                    <Table.Td key={place} className="mono">
                      {cell}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </div>
  );
}

function Words({ field }: Pick<Draft<Wanted>, 'field'>): ReactNode {
  return (
    <>
      <TextInput label={t`Name`} required withAsterisk={false} maxLength={200} {...textField(field('name'))} />
      <Textarea
        label={t`Context`}
        description={t`What the columns mean, their units, anything special. It makes answers better. You can add it later.`}
        placeholder={t`Daily weather of two cities. Temperatures in °C, precipitation in mm, wind in km/h.`}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={20_000}
        {...textField(field('context'))}
      />
    </>
  );
}

function firstDraft(upload: Upload, columns: readonly Column[]): Wanted {
  const name = upload.file
    .replace(/(\.(csv|tsv|txt|xlsx|xlsm|parquet|json|ndjson|jsonl|zip))?(\.(gz|zst))?$/i, '')
    .replaceAll(/[_-]+/g, ' ')
    .trim();
  return {
    ...guess(columns, upload.times),
    name: `${name.slice(0, 1).toUpperCase()}${name.slice(1, 200)}`,
    timeformat: '',
    context: '',
  };
}

/** What is still to be said before it can be created; null when it can. */
function missingPart(draft: Wanted, detected: Upload['times'][number] | undefined): string | null {
  const isAmbiguous = draft.isTimeseries && detected !== undefined && detected.ambiguous.length > 0;
  return missingColumn(draft) ?? (isAmbiguous ? missingReading(draft) : null) ?? missingName(draft);
}

function missingColumn({ isTimeseries, timefield, metafield }: Wanted): string | null {
  if (isTimeseries && timefield === '') return t`Choose the time column.`;
  if (metafield === '') return t`Choose the subject column.`;
  return isTimeseries && metafield === timefield ? t`Time and subject must be different columns.` : null;
}

function missingReading({ timeformat }: Wanted): string | null {
  return timeformat === '' ? t`Choose which number is the month.` : null;
}

function sameName(name: string | null): string | null {
  return name === null ? null : t`Two columns are called “${name}”.`;
}

function missingName({ name }: Wanted): string | null {
  return name.trim() === '' ? t`Enter a name.` : null;
}

function useCreate(upload: Upload, columns: readonly Column[]) {
  const { filename, file, files } = upload;
  const isSheet = sheetsOf(upload).length > 0;
  const navigate = useNavigate();
  return useChange({
    change: (draft: Wanted) =>
      call(
        api.PUT('/api/v1/secure/datasource', {
          body: {
            ...{ name: draft.name.trim(), type: 'csv', filename, file, config: configOf(draft, columns) },
            ...(isSheet && { files }),
          },
        }),
      ),
    says: (_answer, { name }) => t`“${name.trim()}” was created.`,
    done: ({ datasource_id: id }) => navigate({ to: '/datasources/$id', params: { id } }),
    stale: [[...keys.datasources, 'list']],
  });
}

function configOf(draft: Wanted, columns: readonly Column[]) {
  const { isTimeseries, timefield, metafield, values, timeformat, context } = draft;
  return {
    is_timeseries: isTimeseries,
    timefield: isTimeseries ? timefield : '',
    metafield,
    values: [...values],
    timeformat: isTimeseries ? timeformat : '',
    context: context.trim(),
    column_changes: changesOf(columns, draft),
  };
}
