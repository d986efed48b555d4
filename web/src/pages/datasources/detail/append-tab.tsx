import { plural, t } from '@lingui/core/macro';
import { Alert, Button, Group, MultiSelect, Select, Stack, Switch, Table, Text } from '@mantine/core';
import { useMemo, useState, type ReactNode, type SubmitEvent } from 'react';
import { api, call } from '../../../app/client.js';
import { sentence, whole } from '../../../shared/format.js';
import { keys } from '../../../shared/keys.js';
import { useChange } from '../../../shared/use-change.js';
import type { Datasource, Upload } from '../../../shared/wire.js';
import { ticked } from '../../../ui/form.js';
import { IconAlertTriangle, IconCircleCheck } from '../../../ui/icons.js';
import { Failure } from '../../../ui/states.js';
import { columnsOf, sheetsOf, type Column } from '../wizard/columns.js';
import { FirstRows } from '../wizard/create-form.js';
import { FileStep } from '../wizard/file-step.js';
import { OneSheet } from '../wizard/one-sheet.js';
import { TimeFormat } from '../wizard/time-format.js';
import { useUpload } from '../wizard/use-upload.js';
import { TableHead } from '../../../ui/table-head.js';
import { columnsOfTable, differing, mappingOf, mappingProblem, proposed, type Mapping } from './append-columns.js';
import { RunningImport } from './first-import.js';

/** A further file: its rows are added, or replace those with the same keys. */
export default function AppendTab({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const { state, start, reset, used } = useUpload();
  const { updating } = datasource;
  return (
    <Stack gap="md">
      {updating && <RunningImport datasource={datasource} title={t`Adding the file`} />}
      {!updating && state.stage === 'idle' && <LastFile datasource={datasource} />}
      {(!updating || state.stage !== 'idle') && (
        <Stack className="card" p={{ base: 'md', sm: 'lg' }} component="section" aria-label={t`File`}>
          <FileStep state={state} onFile={start} onReset={reset} />
        </Stack>
      )}
      {state.stage === 'done' && (
        <OneSheet key={state.upload.filename} upload={state.upload} hint={t`The rows of one sheet are added.`}>
          {(upload) => <AppendForm upload={upload} datasource={datasource} onBegun={used} />}
        </OneSheet>
      )}
    </Stack>
  );
}

/** What became of the file before. */
function LastFile({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const { status, error, added, replaced, rejected } = datasource.import;
  if (status === 'failed') {
    return (
      <Alert
        color="red"
        variant="light"
        role="alert"
        icon={<IconAlertTriangle size={18} />}
        title={t`The file was not added`}
      >
        {error === null ? t`The service gave no reason.` : sentence(error)} {t`The existing rows are unchanged.`}
      </Alert>
    );
  }
  if (added === null) return null;
  const file = datasource.d_files.at(-1)?.file ?? t`The last file`;
  return (
    <Alert color="teal" variant="light" role="status" icon={<IconCircleCheck size={18} />} title={file}>
      {t`Added ${whole(added)}, replaced ${whole(replaced ?? 0)}, left out ${whole(rejected)}.`}
    </Alert>
  );
}

interface FormProps {
  readonly upload: Upload;
  readonly datasource: Datasource;
  readonly onBegun: () => void;
}

function AppendForm({ upload, datasource, onBegun }: FormProps): ReactNode {
  const columns = useMemo(() => columnsOf(upload), [upload]);
  const [mapping, setMapping] = useState<Mapping>(() => proposed(columns, datasource));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [timeformat, setTimeformat] = useState('');
  const append = useAppend(upload, datasource, onBegun);
  const taken = columnsOfTable(datasource).filter((name) => Object.values(mapping).includes(name));
  const keyColumns = chosen.filter((name) => taken.includes(name));
  const times = timesFor(upload, mapping, datasource);
  const problem = problemOf(datasource, mapping) ?? (times === null ? null : unread(timeformat));
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (problem === null)
      append.mutate({ mapping: mappingOf(columns, mapping, datasource), keys: keyColumns, timeformat });
  }
  return (
    <Stack component="form" className="card" p={{ base: 'md', sm: 'lg' }} gap="md" onSubmit={submit}>
      <MappingTable columns={columns} mapping={mapping} onChange={setMapping} datasource={datasource} />
      <FirstRows upload={upload} />
      {(times !== null || isAboutTimes(append.error)) && (
        <TimeFormat detected={times ?? undefined} sample="" value={timeformat} onChange={setTimeformat} />
      )}
      <MultiSelect
        label={t`Key columns`}
        description={t`A row of the file replaces the rows that have the same values in all of these columns. Without key columns, every row is added.`}
        placeholder={keyColumns.length === 0 ? t`None: every row is added` : ''}
        data={[...taken]}
        searchable={taken.length > 10}
        value={[...keyColumns]}
        onChange={setChosen}
        maxValues={20}
      />
      {append.error !== null && <Failure error={append.error} title={t`The file was not added`} />}
      <Group justify="flex-end">
        <Text size="sm" c="dimmed" role="status">
          {problem ?? expectation(datasource, keyColumns)}
        </Text>
        <Button type="submit" disabled={problem !== null} loading={append.isPending}>
          {keyColumns.length === 0 ? t`Add rows` : t`Add and replace rows`}
        </Button>
      </Group>
    </Stack>
  );
}

function problemOf(datasource: Datasource, mapping: Mapping): string | null {
  return datasource.updating
    ? t`Another file is being added. Wait until it is done.`
    : mappingProblem(mapping, datasource);
}

function unread(timeformat: string): string | null {
  return timeformat === '' ? t`Choose which number is the month.` : null;
}

/** The service could not read the times of the file. */
function isAboutTimes(error: Error | null): boolean {
  return error?.message.startsWith('timeformat') === true;
}

function expectation({ doc_count: rows }: Datasource, keyColumns: readonly string[]): string {
  return keyColumns.length === 0
    ? plural(rows, { one: 'They are added to the # existing row.', other: 'They are added to the # existing rows.' })
    : t`How many rows were replaced is shown afterwards.`;
}

interface MappingProps {
  readonly columns: readonly Column[];
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
  readonly datasource: Datasource;
}

/** Only what differs is shown, unless somebody wants to see all. */
function MappingTable({ columns, mapping, onChange, datasource }: MappingProps): ReactNode {
  const others = useMemo(() => differing(columns, datasource), [columns, datasource]);
  const [showsAll, setShowsAll] = useState(false);
  const names = columnsOfTable(datasource);
  const missing = names.filter((name) => !Object.values(mapping).includes(name));
  const shown = showsAll ? columns : others;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm">
          {others.length === 0
            ? t`Every column of the file has a column of the same name.`
            : plural(others.length, {
                one: '# column of the file has another name, or none, in the datasource.',
                other: '# columns of the file have other names, or none, in the datasource.',
              })}
        </Text>
        <Switch label={t`Show all columns`} checked={showsAll} onChange={ticked(setShowsAll)} />
      </Group>
      {shown.length > 0 && (
        <Table verticalSpacing={6} aria-label={t`Where the columns go`}>
          <TableHead names={[t`In the file`, t`In the datasource`]} />
          <Table.Tbody>
            {shown.map(({ name, samples: [sample = ''] }) => (
              <Table.Tr key={name}>
                <Table.Td maw={200}>
                  <Text size="sm" truncate>
                    {name}
                  </Text>
                  <Text size="xs" c="dimmed" truncate className="mono">
                    {sample === '' ? '—' : sample}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Select
                    size="xs"
                    aria-label={t`Column for ${name}`}
                    placeholder={t`Not used`}
                    clearable
                    searchable={names.length > 10}
                    data={[...names]}
                    value={mapping[name] ?? null}
                    onChange={(to) => {
                      onChange({ ...mapping, [name]: to });
                    }}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {missing.length > 0 && (
        <Text size="sm" c="dimmed">
          {t`Not in the file, so its rows have no value there: ${missing.join(', ')}`}
        </Text>
      )}
    </Stack>
  );
}

/** How the times are written, when the file alone does not tell and the layout of the datasource is none of the readings. */
function timesFor(upload: Upload, mapping: Mapping, { config }: Datasource): Upload['times'][number] | null {
  if (!config.is_timeseries) return null;
  const found = upload.times.find(({ column }) => mapping[column] === config.timefield);
  if (found === undefined || found.ambiguous.length === 0) return null;
  return [found.timeformat, ...found.ambiguous].includes(config.timeformat) ? null : found;
}

interface Appending {
  readonly mapping: ReturnType<typeof mappingOf>;
  readonly keys: readonly string[];
  readonly timeformat: string;
}

function useAppend(upload: Upload, { id }: Datasource, onBegun: () => void) {
  const { filename, file, files } = upload;
  const isSheet = sheetsOf(upload).length > 0;
  return useChange({
    change: (what: Appending) =>
      call(
        api.POST('/api/v1/secure/datasource/append', {
          body: { datasource_id: id, filename, file, ...(isSheet && { files }), ...what, keys: [...what.keys] },
        }),
      ),
    says: t`The file is being added.`,
    done: onBegun,
    stale: [keys.datasource(id)],
  });
}
