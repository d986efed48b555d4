import { Badge, Group, Pagination, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useIsManager } from '../../app/session.js';
import { counted, moment } from '../../shared/format.js';
import type { Wire } from '../../shared/wire.js';
import { DownloadButton } from '../../ui/download-button.js';
import { ForManagers } from '../../ui/not-found.js';
import { Page } from '../../ui/page.js';
import { Empty, Loaded } from '../../ui/states.js';
import { auditParameters, auditQuery, type AuditSearch, USERS_A_PAGE } from './company.queries.js';
import classes from './company.module.css';

type Entry = Wire['AuditEntryView'];

/** Who did what in the company. */
export function AuditPage(): ReactNode {
  return useIsManager() ? <Audit /> : <ForManagers title="Audit log" />;
}

function Audit(): ReactNode {
  const search = useSearch({ from: '/audit' });
  const navigate = useNavigate();
  const query = useQuery(auditQuery(search));
  const total = query.data?.total;
  const show = (next: AuditSearch): void => {
    const given = Object.entries(next).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ to: '/audit', search: Object.fromEntries(given), replace: true });
  };
  return (
    <Page
      title="Audit log"
      subtitle={total === undefined ? '\u00a0' : `${counted(total, 'entry', 'entries')} of the last year`}
    >
      <Stack gap="md">
        <Filters search={search} show={show} />
        <Loaded query={query} skeleton={<Skeleton h={320} />}>
          {({ entries }) =>
            entries.length === 0 ? (
              <Empty icon={IconHistory} title="Nothing here">
                Changes, questions and sign-ins of your company stand here. Nothing fits what you asked for.
              </Empty>
            ) : (
              <EntryTable entries={entries} />
            )
          }
        </Loaded>
        {total !== undefined && total > USERS_A_PAGE && (
          <Pagination
            total={Math.ceil(total / USERS_A_PAGE)}
            value={(search.page ?? 0) + 1}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
            onChange={(next) => {
              show({ ...search, page: next > 1 ? next - 1 : undefined });
            }}
          />
        )}
      </Stack>
    </Page>
  );
}

interface FiltersProps {
  readonly search: AuditSearch;
  readonly show: (next: AuditSearch) => void;
}

function Filters({ search, show }: FiltersProps): ReactNode {
  const { page: _page, ...kept } = search;
  return (
    <Group align="flex-end">
      <TextInput
        label="Person"
        type="email"
        placeholder="name@example.com"
        defaultValue={search.email}
        onBlur={({ currentTarget }) => {
          show({ ...kept, email: currentTarget.value.trim() });
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') show({ ...kept, email: event.currentTarget.value.trim() });
        }}
      />
      <TextInput
        label="From"
        type="date"
        value={search.from ?? ''}
        onChange={({ currentTarget }) => {
          show({ ...kept, from: currentTarget.value });
        }}
      />
      <TextInput
        label="To"
        type="date"
        value={search.to ?? ''}
        onChange={({ currentTarget }) => {
          show({ ...kept, to: currentTarget.value });
        }}
      />
      <DownloadButton label="CSV" path="/api/v1/secure/audit/csv" query={auditParameters(search)} />
    </Group>
  );
}

function EntryTable({ entries }: { readonly entries: readonly Entry[] }): ReactNode {
  return (
    <div className="card">
      <Table verticalSpacing="sm" horizontalSpacing="md" className={classes.users}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th>Who</Table.Th>
            <Table.Th>When</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Line key={entry.id} entry={entry} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Line({ entry }: { readonly entry: Entry }): ReactNode {
  const { action, succeeded, details, email, address, created_at: at } = entry;
  const about = ABOUT.flatMap((name) => details[name] ?? []).join(', ');
  return (
    <Table.Tr>
      <Table.Td title={action}>
        <Text size="sm" fw={600}>
          {ACTIONS[action] ?? action} {!succeeded && <Badge color="red">Refused</Badge>}
        </Text>
        <Text size="sm" c="dimmed" lineClamp={2}>
          {about}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm">{email === '' ? 'A service account' : email}</Text>
        <Text size="sm" c="dimmed">
          {address}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm">{moment(at)}</Text>
      </Table.Td>
    </Table.Tr>
  );
}

/** Of the details those that a person understands. */
const ABOUT = ['message', 'name', 'title', 'email', 'filename', 'role'];

/** What the routes do, in words; those that are not here stand as they are. */
const ACTIONS: Readonly<Record<string, string>> = {
  'POST login': 'Signed in',
  'POST secure/logout': 'Signed out',
  'POST secure/assistant/chat': 'Asked a question',
  'POST secure/assistant/chat/stream': 'Asked a question',
  'POST secure/assistant/conversation': 'Opened a conversation',
  'DELETE secure/assistant/conversation': 'Deleted a conversation',
  'POST secure/datasource/upload': 'Uploaded a file',
  'POST secure/datasource/sample': 'Added the sample data',
  'PUT secure/datasource': 'Made a datasource',
  'PATCH secure/datasource': 'Changed a datasource',
  'DELETE secure/datasource': 'Deleted a datasource',
  'PUT secure/datasource/semantics': 'Described a datasource',
  'PUT secure/contextfiles': 'Added context files',
  'DELETE secure/contextfiles/:fileId': 'Deleted a context file',
  'PUT secure/agent/task': 'Made an agent task',
  'POST secure/agent/task': 'Made an agent task',
  'GET secure/agent/task/run/:task_id': 'Ran an agent task',
  'DELETE secure/agent/task/delete/:task_id': 'Deleted an agent task',
  'PATCH secure/settings': 'Changed the settings',
  'POST secure/api-keys': 'Made an API key',
  'DELETE secure/api-keys/:id': 'Revoked an API key',
  'PATCH secure/currentuser': 'Changed their name',
  'POST secure/currentuser/password': 'Changed their password',
  'DELETE secure/currentuser/sessions/:id': 'Ended a session',
  'POST secure/invitation': 'Invited somebody',
  'DELETE secure/invitation/:id': 'Revoked an invitation',
  'PATCH secure/user/:id': 'Changed a user',
  'DELETE secure/user/:id': 'Removed a user',
  'POST secure/user/:id/reset': 'Made a link for a new password',
};
