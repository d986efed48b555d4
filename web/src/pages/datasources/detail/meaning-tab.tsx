import { ApiError } from '@data-analytics/client';
import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Alert,
  Button,
  Code,
  Fieldset,
  FileButton,
  Group,
  Modal,
  NativeSelect,
  SimpleGrid,
  Skeleton,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { api, call } from '../../../app/client.js';
import { useIsManager } from '../../../app/session.js';
import { keys } from '../../../shared/keys.js';
import { told } from '../../../shared/toast.js';
import type { Datasource, Wire } from '../../../shared/wire.js';
import { DownloadButton } from '../../../ui/download-button.js';
import { begins, fieldsOf, textField, typed } from '../../../ui/form.js';
import { IconUpload } from '../../../ui/icons.js';
import { Failure, Loaded } from '../../../ui/states.js';
import { useUnsaved } from '../../../ui/use-unsaved.js';
import { Result, useEvaluate } from './evaluations.js';
import { LOCALE } from '../../../shared/language.js';
import { nothingOf, ROLES, semanticsQuery, type Known } from './semantics.queries.js';

type Semantics = Wire['SemanticsView'];
type Column = Wire['ColumnSemanticsView'];

/** What the columns and figures of a datasource mean. The assistant reads it with every question. */
export default function MeaningTab({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const query = useQuery(semanticsQuery(datasource.id));
  return (
    <Loaded query={query} skeleton={<Skeleton h={480} />}>
      {(known) => <MeaningForm datasource={datasource} known={known} />}
    </Loaded>
  );
}

/** What was typed over what was known then. */
interface Draft {
  readonly from: Known;
  readonly edited: Semantics;
}

interface MeaningFormProps {
  readonly datasource: Datasource;
  readonly known: Known;
}

function MeaningForm({ datasource: { id }, known }: MeaningFormProps): ReactNode {
  const [draft, setDraft] = useState<Draft | null>(null);
  useUnsaved(draft !== null);
  // What somebody else saves meanwhile takes nothing that was typed: the service tells of it when this is saved.
  const { from, edited } = draft ?? { from: known, edited: startOf(known) };
  const { version, editable } = from.current;
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (written: { readonly semantics: Semantics } | { readonly yaml: string }) =>
      call(api.PUT('/api/v1/secure/datasource/semantics', { body: { id, version, ...written } })),
    onSuccess: (current) => {
      queries.setQueryData(keys.semantics(id), { ...known, current });
      setDraft(null);
      void queries.invalidateQueries({ queryKey: keys.rows(id) });
      told(t`Saved.`);
    },
  });
  const sent = saidOf(edited);
  const problemAt = problemsOf(save.error);
  function change(changes: Partial<Semantics>): void {
    setDraft({ from, edited: { ...edited, ...changes } });
  }
  return (
    <Stack
      component="form"
      gap="lg"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ semantics: sent });
      }}
    >
      <State version={version} editable={editable} />
      <Fieldset variant="unstyled" disabled={!editable}>
        <Stack gap="lg">
          <Textarea
            label={t`What the table contains`}
            autosize
            minRows={2}
            maxLength={4000}
            maw={640}
            value={edited.description}
            error={problemAt('description')}
            onChange={({ currentTarget }) => {
              change({ description: currentTarget.value });
            }}
          />
          <Columns
            columns={edited.columns}
            problemAt={(name, field) =>
              problemAt(`columns.${String(sent.columns.findIndex((one) => one.name === name))}.${field}`)
            }
            onChange={(columns) => {
              change({ columns });
            }}
          />
          <Figures semantics={edited} problemAt={problemAt} />
          <Rest semantics={edited} problemAt={problemAt} change={change} />
        </Stack>
      </Fieldset>
      {save.error !== null && <Failure error={save.error} title={t`The changes were not saved`} />}
      <Actions
        known={from}
        id={id}
        isSaving={save.isPending}
        edited={sent}
        onYaml={(yaml) => {
          save.mutate({ yaml });
        }}
      />
    </Stack>
  );
}

interface ActionsProps {
  readonly known: Known;
  readonly id: string;
  readonly isSaving: boolean;
  readonly edited: Semantics;
  readonly onYaml: (yaml: string) => void;
}

function Actions({ known: { current }, id, isSaving, edited, onYaml }: ActionsProps): ReactNode {
  // A file that was corrected is chosen again under its name.
  const reset = useRef<() => void>(null);
  return (
    <Group>
      {current.editable && (
        <Button type="submit" loading={isSaving}>
          {t`Save`}
        </Button>
      )}
      {current.editable && <EvaluateFirst id={id} edited={edited} />}
      {current.version > 0 && (
        <DownloadButton path="/api/v1/secure/datasource/semantics/yaml" query={{ id }} label={t`Export YAML`} />
      )}
      {current.editable && (
        <FileButton
          accept=".yaml,.yml"
          resetRef={reset}
          onChange={(file) => {
            reset.current?.();
            void file?.text().then(onYaml);
          }}
        >
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconUpload />}>
              {t`Import YAML`}
            </Button>
          )}
        </FileButton>
      )}
    </Group>
  );
}

/** For managers: whether the verified questions would be answered as before, were this saved. */
function EvaluateFirst({ id, edited }: Pick<ActionsProps, 'id' | 'edited'>): ReactNode {
  const evaluate = useEvaluate(id);
  if (!useIsManager()) return null;
  return (
    <>
      <Button variant="default" {...begins(evaluate, { semantics: edited })}>
        {t`Evaluate first`}
      </Button>
      <Modal
        opened={evaluate.data !== undefined}
        onClose={evaluate.reset}
        title={t`Evaluation of these changes`}
        size="xl"
        centered
      >
        {evaluate.data !== undefined && <Result datasource={id} id={evaluate.data.id} />}
      </Modal>
      {evaluate.error !== null && <Failure error={evaluate.error} title={t`The evaluation could not be started`} />}
    </>
  );
}

function State({ version, editable }: { readonly version: number; readonly editable: boolean }): ReactNode {
  if (!editable) {
    return (
      <Text c="dimmed">
        {t`The assistant reads this with every question. Managers and the creator of the datasource can change it.`}
      </Text>
    );
  }
  if (version > 0)
    return (
      <Text c="dimmed">{t`The assistant reads this with every question. This is version ${String(version)}.`}</Text>
    );
  return (
    <Alert variant="light" title={t`A first draft`}>
      <Trans>
        The assistant reads this with every question. Nothing is saved yet: this draft was derived from the columns.
        Correct it, then save.
      </Trans>
    </Alert>
  );
}

type ProblemAt = (field: string) => string | undefined;

interface ColumnsProps {
  readonly columns: readonly Column[];
  readonly problemAt: (name: string, field: string) => string | undefined;
  readonly onChange: (columns: Column[]) => void;
}

/** Forms that a page shows at once. */
const MOST_SHOWN = 24;

function Columns({ columns, problemAt, onChange }: ColumnsProps): ReactNode {
  const [search, setSearch] = useState('');
  const found = columns.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  const more = found.length - MOST_SHOWN;
  return (
    <Stack component="section" gap="md">
      <Title order={2}>{t`Columns`}</Title>
      {columns.length > MOST_SHOWN && (
        <TextInput type="search" label={t`Find a column`} maw={320} value={search} onChange={typed(setSearch)} />
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        {found.slice(0, MOST_SHOWN).map((column) => (
          <ColumnFields
            key={column.name}
            column={column}
            problemAt={(field) => problemAt(column.name, field)}
            onChange={(changes) => {
              onChange(columns.map((one) => (one.name === column.name ? { ...one, ...changes } : one)));
            }}
          />
        ))}
      </SimpleGrid>
      {more > 0 && (
        <Text c="dimmed">
          {plural(more, { one: '# more column: search to find it', other: '# more columns: search to find them' })}
        </Text>
      )}
    </Stack>
  );
}

interface ColumnFieldsProps {
  readonly column: Column;
  readonly problemAt: ProblemAt;
  readonly onChange: (changes: Partial<Column>) => void;
}

function ColumnFields({ column, problemAt, onChange }: ColumnFieldsProps): ReactNode {
  const field = fieldsOf(column, onChange);
  return (
    <Stack component="section" gap="xs" p="md" className="card" aria-label={t`Meaning of ${column.name}`}>
      <Text fw={600} truncate title={column.name}>
        {column.name}
      </Text>
      {problemAt('name') !== undefined && (
        <Text size="sm" c="red">
          {problemAt('name')}
        </Text>
      )}
      <TextInput
        label={t`Description`}
        maxLength={500}
        {...textField(field('description'))}
        error={problemAt('description')}
      />
      <TagsInput
        label={t`Other names`}
        description={t`Press Enter or comma after each`}
        maxTags={20}
        {...field('synonyms')}
        error={problemAt('synonyms')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="xs">
        <TextInput label={t`Unit`} {...textField(field('unit'))} error={problemAt('unit')} />
        <NativeSelect
          label={t`Combine rows by`}
          data={ROLES.map(({ value, label }) => ({ value, label: i18n._(label) }))}
          value={column.role}
          error={problemAt('role')}
          onChange={({ currentTarget }) => {
            const role = ROLES.find(({ value }) => value === currentTarget.value);
            onChange({ role: role?.value ?? '' });
          }}
        />
      </SimpleGrid>
      {column.allowed_values.length > 0 && (
        <Text size="sm" c="dimmed" lineClamp={2}>
          {t`Values: ${column.allowed_values.join(', ')}`}
        </Text>
      )}
    </Stack>
  );
}

interface PartProps {
  readonly semantics: Semantics;
  readonly problemAt: ProblemAt;
}

/** Metrics and conditions as they are: they are written in a YAML file. */
function Figures({ semantics: { metrics, filters }, problemAt }: PartProps): ReactNode {
  return (
    <Stack component="section" gap="sm">
      <Title order={2}>{t`Named figures`}</Title>
      <Text size="sm" c="dimmed">
        <Trans>
          For example net revenue. Each is tried on the rows before it is saved. To add or change one, export the YAML
          file, edit it and import it again.
        </Trans>
      </Text>
      {metrics.map(({ name, synonyms, unit, description, plan }, place) => (
        <Stack key={name} gap={4} p="md" className="card">
          <Text fw={600}>{[name, ...synonyms].join(', ')}</Text>
          <Text size="sm">
            {[description, unit === '' ? '' : t`in ${unit}`].filter((one) => one !== '').join(', ')}
          </Text>
          <Code block>{JSON.stringify(plan, null, 1)}</Code>
          <Text size="sm" c="red">
            {problemAt(`metrics.${String(place)}`)}
          </Text>
        </Stack>
      ))}
      {filters.length > 0 && (
        <>
          <Text size="sm">{t`Only rows that meet these conditions count, unless a question says otherwise:`}</Text>
          <Code block>{JSON.stringify(filters, null, 1)}</Code>
        </>
      )}
    </Stack>
  );
}

const MONTHS = Array.from({ length: 12 }, (_, month) => ({
  value: String(month + 1),
  label: new Date(Date.UTC(2024, month)).toLocaleString(LOCALE, { month: 'long', timeZone: 'UTC' }),
}));

interface RestProps extends PartProps {
  readonly change: (changes: Partial<Semantics>) => void;
}

function Rest({ semantics, problemAt, change }: RestProps): ReactNode {
  return (
    <Stack component="section" gap="md" maw={640}>
      <Title order={2}>{t`Suggestions and fiscal year`}</Title>
      <Textarea
        label={t`Suggested questions`}
        description={t`One per line`}
        autosize
        minRows={2}
        value={semantics.questions.join('\n')}
        error={problemAt('questions')}
        onChange={({ currentTarget }) => {
          change({ questions: currentTarget.value === '' ? [] : currentTarget.value.split('\n') });
        }}
      />
      <NativeSelect
        label={t`The fiscal year begins in`}
        maw={240}
        data={MONTHS}
        value={String(semantics.fiscal_year_start)}
        onChange={({ currentTarget }) => {
          change({ fiscal_year_start: Number(currentTarget.value) });
        }}
      />
    </Stack>
  );
}

/** Every column of the table, in its order, those of which nothing is said too. */
function startOf({ current: { semantics, version }, draft }: Known): Semantics {
  if (version === 0) return draft;
  const said = new Map(semantics.columns.map((column) => [column.name, column]));
  const columns = draft.columns.map((column) => said.get(column.name) ?? nothingOf(column.name));
  const listed = new Set(columns.map(({ name }) => name));
  return { ...semantics, columns: [...columns, ...semantics.columns.filter(({ name }) => !listed.has(name))] };
}

/** Without columns of which nothing is said, and without empty lines. */
function saidOf(semantics: Semantics): Semantics {
  const columns = semantics.columns.filter(
    (column) => JSON.stringify(column) !== JSON.stringify(nothingOf(column.name)),
  );
  const questions = semantics.questions.map((one) => one.trim()).filter((one) => one !== '');
  return { ...semantics, columns, questions };
}

/** What the service says of a field, or of a part of it. */
function problemsOf(error: Error | null): ProblemAt {
  const details = error instanceof ApiError ? error.details : [];
  return (field) => details.find(({ field: at }) => `${at}.`.startsWith(`semantics.${field}.`))?.problem;
}
