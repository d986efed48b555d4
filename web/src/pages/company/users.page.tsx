import { plural, t } from '@lingui/core/macro';
import { Badge, Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useIsManager } from '../../app/session.js';
import { ago, moment, roleName } from '../../shared/format.js';
import type { Wire } from '../../shared/wire.js';
import { ForManagers } from '../../ui/not-found.js';
import { Page } from '../../ui/page.js';
import { Pager, usePage } from '../../ui/pager.js';
import { Loaded } from '../../ui/states.js';
import { TableHead } from '../../ui/table-head.js';
import { Invitations } from './invitations.js';
import { MemberMenu } from './member-menu.js';
import { USERS_A_PAGE, usersQuery } from './company.queries.js';
import classes from './company.module.css';

type User = Wire['FullUser'];

/** Who belongs to the company. */
export function UsersPage(): ReactNode {
  return useIsManager() ? <Users /> : <ForManagers title={t`Users`} />;
}

function Users(): ReactNode {
  const [page, setPage] = usePage();
  const query = useQuery(usersQuery(page));
  const total = query.data?.total;
  return (
    <Page
      title={t`Users`}
      subtitle={
        total === undefined ? '\u00a0' : t`${plural(total, { one: '# user', other: '# users' })} in your company`
      }
    >
      <Invitations />
      <Loaded query={query} skeleton={<Skeleton h={240} />}>
        {({ users }) => <UserTable users={users} />}
      </Loaded>
      <Pager page={page} total={total ?? 0} size={USERS_A_PAGE} onChange={setPage} />
    </Page>
  );
}

function UserTable({ users }: { readonly users: readonly User[] }): ReactNode {
  return (
    <div className="card">
      <Table verticalSpacing="sm" horizontalSpacing="md" className={classes.users}>
        <TableHead names={[t`Name`, t`Role`, t`State`, t`Last sign-in`]} actions={t`Actions`} />
        <Table.Tbody>
          {users.map((user) => (
            <Line key={user.id} user={user} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Line({ user }: { readonly user: User }): ReactNode {
  const { first_name: first, last_name: last, email, role, is_active: isActive, last_login: login } = user;
  const name = `${first} ${last}`.trim();
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={600} size="sm">
          {name === '' ? email : name}
        </Text>
        {name !== '' && (
          <Text size="sm" c="dimmed">
            {email}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{roleName(role)}</Table.Td>
      <Table.Td>
        <Badge variant="dot" color={isActive ? 'teal' : 'gray'}>
          {isActive ? t`Active` : t`Blocked`}
        </Badge>
      </Table.Td>
      <Table.Td title={login === null ? undefined : moment(login)}>{login === null ? t`never` : ago(login)}</Table.Td>
      <Table.Td ta="right">
        <MemberMenu user={user} />
      </Table.Td>
    </Table.Tr>
  );
}
