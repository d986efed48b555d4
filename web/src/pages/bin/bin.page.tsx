import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Button, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { ago, moment } from '../../shared/format.js';
import { useChange } from '../../shared/use-change.js';
import type { Wire } from '../../shared/wire.js';
import { DeleteDialog, type DialogProps } from '../../ui/delete-dialog.js';
import { begins } from '../../ui/form.js';
import {
  IconCalendarCog,
  IconDatabase,
  IconFile,
  IconLayoutDashboard,
  IconMessages,
  IconTrash,
  type Icon,
} from '../../ui/icons.js';
import { Page } from '../../ui/page.js';
import { Pager, usePage } from '../../ui/pager.js';
import { Empty, Loaded } from '../../ui/states.js';
import { TableHead } from '../../ui/table-head.js';
import { useRestore } from '../../ui/undo.js';
import classes from '../company/company.module.css';

type Entry = Wire['BinEntryView'];

const BIN = ['bin'] as const;
const A_PAGE = 50;

const KINDS: Readonly<Record<string, { readonly icon: Icon; readonly name: MessageDescriptor }>> = {
  datasource: { icon: IconDatabase, name: msg`Datasource` },
  conversation: { icon: IconMessages, name: msg`Conversation` },
  task: { icon: IconCalendarCog, name: msg`Agent task` },
  board: { icon: IconLayoutDashboard, name: msg`Board` },
  'context-file': { icon: IconFile, name: msg`Context file` },
};

function binQuery(page: number) {
  return queryOptions({
    queryKey: [...BIN, page],
    queryFn: ({ signal }) =>
      call(api.GET('/api/v1/secure/bin', { params: { query: { page, page_size: A_PAGE } }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** What was deleted and can come back. */
export function BinPage(): ReactNode {
  const [page, setPage] = usePage();
  const query = useQuery(binQuery(page));
  const total = query.data?.total ?? 0;
  return (
    <Page title={t`Bin`} subtitle={t`What you delete stays here for 30 days, and takes up storage until it is gone.`}>
      <Stack gap="md">
        <Loaded query={query} skeleton={<Skeleton h={240} />}>
          {({ entries }) =>
            entries.length === 0 ? (
              <Empty icon={IconTrash} title={t`The bin is empty`}>
                {t`Datasources, conversations, boards, agent tasks and context files that you delete can be restored here.`}
              </Empty>
            ) : (
              <EntryTable entries={entries} />
            )
          }
        </Loaded>
        <Pager page={page} total={total} size={A_PAGE} onChange={setPage} />
      </Stack>
    </Page>
  );
}

function EntryTable({ entries }: { readonly entries: readonly Entry[] }): ReactNode {
  return (
    <div className="card">
      <Table verticalSpacing="sm" horizontalSpacing="md" className={classes.users}>
        <TableHead names={[t`What`, t`Deleted`]} actions={t`Actions`} />
        <Table.Tbody>
          {entries.map((entry) => (
            <Line key={entry.id} entry={entry} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

interface LineProps {
  readonly entry: Entry;
}

function Line({ entry }: LineProps): ReactNode {
  const { id, kind, name, deleted_at: at, restorable_until: until } = entry;
  const [removing, { open, close }] = useDisclosure();
  const restore = useRestore();
  const restoring = useMutation({ mutationFn: () => restore(id, name) });
  const known = KINDS[kind];
  const KindIcon = known?.icon ?? IconTrash;
  const days = Math.max(1, Math.ceil((Date.parse(until) - Date.now()) / 86_400_000));
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          <KindIcon size={18} aria-hidden className={classes.icon} />
          <div>
            <Text size="sm" fw={600} lineClamp={2}>
              {name}
            </Text>
            <Text size="sm" c="dimmed">
              {known === undefined ? kind : i18n._(known.name)}
            </Text>
          </div>
        </Group>
      </Table.Td>
      <Table.Td title={moment(at)}>
        <Text size="sm">{ago(at)}</Text>
        <Text size="sm" c="dimmed" className={classes.still}>
          {plural(days, { one: 'gone in # day', other: 'gone in # days' })}
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <Button size="compact-sm" variant="light" {...begins(restoring)} aria-label={t`Restore ${name}`}>
            {t`Restore`}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            aria-label={t`Delete for good: ${name}`}
            onClick={open}
          >
            {t`Delete for good`}
          </Button>
          <Removal entry={entry} opened={removing} onClose={close} />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function Removal({ entry: { id, name }, ...dialog }: LineProps & DialogProps): ReactNode {
  const removal = useChange({
    change: () => call(api.DELETE('/api/v1/secure/bin/{id}', { params: { path: { id } } })),
    says: t`“${name}” is gone for good.`,
    done: dialog.onClose,
    stale: [BIN],
  });
  return (
    <DeleteDialog
      {...dialog}
      title={t`Delete “${name}” for good?`}
      consequences={[t`All that belongs to it is deleted.`]}
      action={t`Delete for good`}
      deletion={removal}
    />
  );
}
