import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Badge, Group, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useIsManager } from '../../app/session.js';
import { moment } from '../../shared/format.js';
import type { Wire } from '../../shared/wire.js';
import { DownloadButton } from '../../ui/download-button.js';
import { IconHistory } from '../../ui/icons.js';
import { ForManagers } from '../../ui/not-found.js';
import { Page } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Loaded } from '../../ui/states.js';
import { TableHead } from '../../ui/table-head.js';
import { auditParameters, auditQuery, type AuditSearch, USERS_A_PAGE } from './company.queries.js';
import classes from './company.module.css';

type Entry = Wire['AuditEntryView'];

/** Who did what in the company. */
export function AuditPage(): ReactNode {
  return useIsManager() ? <Audit /> : <ForManagers title={t`Audit log`} />;
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
      title={t`Audit log`}
      subtitle={
        total === undefined ? '\u00a0' : t`${plural(total, { one: '# entry', other: '# entries' })} in the last year`
      }
    >
      <Stack gap="md">
        <Filters search={search} show={show} />
        <Loaded query={query} skeleton={<Skeleton h={320} />}>
          {({ entries }) =>
            entries.length === 0 ? (
              <Empty icon={IconHistory} title={t`Nothing found`}>
                {t`Changes, questions and sign-ins in your company are listed here. No entry matches your filters.`}
              </Empty>
            ) : (
              <EntryTable entries={entries} />
            )
          }
        </Loaded>
        <Pager
          page={search.page ?? 0}
          total={total ?? 0}
          size={USERS_A_PAGE}
          onChange={(page) => {
            show({ ...search, page: page > 0 ? page : undefined });
          }}
        />
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
        label={t`Person`}
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
        label={t`From`}
        type="date"
        value={search.from ?? ''}
        onChange={({ currentTarget }) => {
          show({ ...kept, from: currentTarget.value });
        }}
      />
      <TextInput
        label={t`To`}
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
        <TableHead names={[t`What`, t`Who`, t`When`]} />
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
  const known = ACTIONS[action];
  const about = ABOUT.flatMap((name) => wordsFor(name, details[name]) ?? []).join(', ');
  const times = Number(details.times ?? 1);
  return (
    <Table.Tr>
      <Table.Td title={action}>
        <Text size="sm" fw={600}>
          {known === undefined ? action : i18n._(known)}{' '}
          {times > 1 && plural(times, { one: '(once)', other: '(# times)' })}{' '}
          {!succeeded && <Badge color="red">{t`Refused`}</Badge>}
        </Text>
        <Text size="sm" c="dimmed" lineClamp={2}>
          {about}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm">{email === '' ? t`A service account` : email}</Text>
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

function wordsFor(name: string, value: string | undefined): string | undefined {
  return name === 'inserted_rows' && value !== undefined
    ? plural(Number(value), { one: '# row', other: '# rows' })
    : value;
}

/** Of the details those that a person understands. */
const ABOUT = ['inserted_rows', 'message', 'name', 'title', 'email', 'filename', 'role'];

/** What the routes do, in words; those that are not here stand as they are. */
const ACTIONS: Readonly<Record<string, MessageDescriptor>> = {
  'POST login': msg`Signed in`,
  'POST sign-in/finish': msg`Signed in with the company`,
  'PUT secure/sign-in': msg`Changed the company’s sign-in`,
  'DELETE secure/sign-in': msg`Removed the company’s sign-in`,
  'POST secure/logout': msg`Signed out`,
  'POST secure/assistant/chat': msg`Asked a question`,
  'POST secure/assistant/chatstream': msg`Asked a question`,
  'POST secure/assistant/conversation': msg`Started a conversation`,
  'PUT secure/assistant/conversation': msg`Changed a conversation`,
  'DELETE secure/assistant/conversation': msg`Deleted a conversation`,
  'POST secure/assistant/stop': msg`Stopped an answer`,
  'POST secure/assistant/feedback': msg`Rated an answer`,
  'POST secure/datasource/upload': msg`Uploaded a file`,
  'DELETE secure/datasource/upload': msg`Deleted an upload`,
  'POST secure/datasource/sample': msg`Added the sample data`,
  'PUT secure/datasource': msg`Created a datasource`,
  'POST secure/datasource/append': msg`Added a file to a datasource`,
  'PATCH secure/datasource': msg`Changed a datasource`,
  'DELETE secure/datasource': msg`Deleted a datasource`,
  'PUT secure/datasource/semantics': msg`Described a datasource`,
  'PATCH secure/datasource/insert': msg`Added rows`,
  'POST secure/datasource/fetch': msg`Fetched a file from a place`,
  'POST secure/datasource/refetch': msg`Fetched a datasource again`,
  'DELETE secure/datasource/refetch': msg`Stopped a fetch`,
  'PATCH secure/datasource/place': msg`Changed where a datasource is fetched from`,
  'POST secure/datasource/annotation': msg`Added a note to a chart`,
  'DELETE secure/datasource/annotation/:id': msg`Deleted a note of a chart`,
  'POST secure/relations/propose': msg`Looked for relations between datasources`,
  'POST secure/relations/confirm': msg`Confirmed a relation`,
  'POST secure/relations/dismiss': msg`Dismissed a relation`,
  'DELETE secure/relations': msg`Deleted a relation`,
  'POST secure/board': msg`Created a board`,
  'PATCH secure/board/:id': msg`Changed a board`,
  'DELETE secure/board/:id': msg`Deleted a board`,
  'POST secure/board/:id/tile': msg`Added a tile to a board`,
  'PATCH secure/board/:id/tile/:tile': msg`Changed a tile of a board`,
  'DELETE secure/board/:id/tile/:tile': msg`Removed a tile from a board`,
  'POST secure/share': msg`Created a public link`,
  'DELETE secure/share/:id': msg`Revoked a public link`,
  'POST secure/alerts': msg`Created an alert`,
  'PATCH secure/alerts/:id': msg`Changed an alert`,
  'DELETE secure/alerts/:id': msg`Deleted an alert`,
  'POST secure/alerts/:id/check': msg`Checked an alert`,
  'POST secure/evaluation/run': msg`Started an evaluation`,
  'POST secure/evaluation/stop': msg`Stopped an evaluation`,
  'POST secure/evaluation/schedule': msg`Scheduled evaluations`,
  'POST invitation/accept': msg`Accepted an invitation`,
  'PUT secure/contextfiles': msg`Added context files`,
  'DELETE secure/contextfiles/:fileId': msg`Deleted a context file`,
  'POST secure/agent/task': msg`Created an agent task`,
  'GET secure/agent/task/run/:task_id': msg`Ran an agent task`,
  'DELETE secure/agent/task/delete/:task_id': msg`Deleted an agent task`,
  'POST secure/bin/:id/restore': msg`Restored something from the bin`,
  'DELETE secure/bin/:id': msg`Deleted something for good`,
  'POST secure/agent/task/schedule': msg`Scheduled an agent task`,
  'POST secure/agent/task/stop': msg`Stopped an agent task`,
  'POST secure/verified': msg`Verified an answer`,
  'PATCH secure/verified/:id': msg`Changed a verified answer`,
  'DELETE secure/verified/:id': msg`Deleted a verified answer`,
  'PATCH secure/settings': msg`Changed the settings`,
  'POST secure/api-keys': msg`Created an API key`,
  'DELETE secure/api-keys/:id': msg`Revoked an API key`,
  'PATCH secure/currentuser': msg`Changed their name`,
  'POST secure/currentuser/password': msg`Changed their password`,
  'DELETE secure/currentuser/sessions/:id': msg`Ended a session`,
  'POST secure/invitation': msg`Invited someone`,
  'DELETE secure/invitation/:id': msg`Revoked an invitation`,
  'PATCH secure/user/:id': msg`Changed a user`,
  'DELETE secure/user/:id': msg`Removed a user`,
  'POST secure/user/:id/reset': msg`Created a link for a new password`,
};
