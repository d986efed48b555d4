import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Code, Group, List, Stack, Table, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { sentence } from '../../../shared/format.js';
import { keys } from '../../../shared/keys.js';
import type { Datasource } from '../../../shared/wire.js';
import { IconCircleCheck, IconInfoCircle } from '../../../ui/icons.js';
import { Failure } from '../../../ui/states.js';
import { TableHead } from '../../../ui/table-head.js';
import { useUnsaved } from '../../../ui/use-unsaved.js';
import { insertAll, pasteOf, type InsertOutcome, type Paste } from './insert-rows.js';

/** Rows from the clipboard: of a spreadsheet, a CSV file, an export. */
export function InsertTab({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const [text, setText] = useState('');
  const paste = useMemo(() => pasteOf(text, datasource), [text, datasource]);
  const { insert, done } = useInsert(datasource);
  useUnsaved(text !== '' && insert.data === undefined, t`The rows are not inserted. Leave without them?`);
  return (
    <Stack gap="md">
      <Textarea
        label={t`Rows`}
        description={t`Paste from a spreadsheet or a CSV file: with the column names in the first line, or with all columns in order.`}
        placeholder={exampleOf(datasource)}
        autosize
        minRows={6}
        maxRows={16}
        classNames={{ input: 'mono' }}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          insert.reset();
        }}
      />
      <PasteState paste={paste} isNew={insert.data === undefined} />
      {insert.error !== null && <Failure error={insert.error} title={t`Not all rows were inserted`} />}
      {insert.data !== undefined && <Outcome outcome={insert.data} />}
      <Group>
        <Button
          disabled={!isReady(paste) || datasource.updating || insert.data !== undefined}
          loading={insert.isPending}
          onClick={() => {
            insert.mutate(paste, {
              onSuccess: ({ left }) => {
                if (left !== null) setText(left);
              },
            });
          }}
        >
          {insert.error === null
            ? plural(paste.rows.length, { one: 'Insert # row', other: 'Insert # rows' })
            : t`Try again`}
        </Button>
        <Text size="sm" c="dimmed" className="numbers">
          {remark(datasource, insert.isPending ? done : 0)}
        </Text>
      </Group>
    </Stack>
  );
}

function isReady({ problem, rows }: Paste): boolean {
  return problem === null && rows.length > 0;
}

function remark({ updating }: Datasource, sent: number): string {
  if (updating) return t`An import is running. You can insert rows when it is done.`;
  return sent > 0 ? plural(sent, { one: '# row sent', other: '# rows sent' }) : '';
}

/** What is wrong with it, or what would be inserted. */
function PasteState({ paste, isNew }: { readonly paste: Paste; readonly isNew: boolean }): ReactNode {
  if (isReady(paste)) return isNew ? <Preview paste={paste} /> : null;
  if (paste.problem === null) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconInfoCircle size={18} />}>
      {paste.problem}
    </Alert>
  );
}

function useInsert(datasource: Datasource) {
  const queries = useQueryClient();
  const [done, setDone] = useState(0);
  // The same rows under the same key, however often it is tried.
  const attempt = useRef<{ readonly paste: Paste; readonly id: string } | null>(null);
  const insert = useMutation({
    mutationFn: (paste: Paste) => {
      if (attempt.current?.paste !== paste) attempt.current = { paste, id: crypto.randomUUID() };
      const { id } = attempt.current;
      setDone(0);
      return insertAll(datasource.id, paste, { of: (batch) => `${id}-${String(batch)}`, onBatch: setDone });
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: keys.datasource(datasource.id) });
      void queries.invalidateQueries({ queryKey: keys.rows(datasource.id) });
    },
  });
  return { insert, done };
}

function exampleOf({ config }: Datasource): string {
  const columns = config.columns[0] ?? [];
  return `${columns.join(',')}\n…`;
}

const SHOWN = 5;

function Preview({ paste: { columns, rows } }: { readonly paste: Paste }): ReactNode {
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {plural(rows.length, { one: '# row', other: '# rows' })} ·{' '}
        {plural(columns.length, { one: '# column', other: '# columns' })}
        {rows.length > SHOWN && ` · ${t`the first ${String(SHOWN)}:`}`}
      </Text>
      <Table.ScrollContainer minWidth={480} className="card">
        <Table aria-label={t`Rows to be inserted`}>
          <TableHead names={columns} />
          <Table.Tbody>
            {rows.slice(0, SHOWN).map((row, index) => (
              <Table.Tr key={index}>
                {columns.map((name) => (
                  <Table.Td key={name} className="mono">
                    {row[name] === '' ? '—' : row[name]}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}

function Outcome({ outcome: { inserted, skipped, sample, left } }: { readonly outcome: InsertOutcome }): ReactNode {
  if (skipped === 0) {
    return (
      <Alert color="teal" variant="light" role="status" icon={<IconCircleCheck size={18} />}>
        {plural(inserted, { one: '# row was inserted.', other: '# rows were inserted.' })}
      </Alert>
    );
  }
  return (
    <Alert
      color="yellow"
      variant="light"
      role="alert"
      icon={<IconInfoCircle size={18} />}
      title={t`Inserted: ${plural(inserted, { one: '# row', other: '# rows' })}. Skipped: ${plural(skipped, { one: '# row', other: '# rows' })}.`}
    >
      <List size="sm">
        {sample.slice(0, 20).map(({ row, reason }) => (
          <List.Item key={row}>
            <Trans>
              Row <Code>{row}</Code>: {sentence(reason)}
            </Trans>
          </List.Item>
        ))}
      </List>
      {left !== null && (
        <Text size="sm" mt="xs">
          {t`The skipped rows are still above: correct them, and insert them again.`}
        </Text>
      )}
    </Alert>
  );
}
