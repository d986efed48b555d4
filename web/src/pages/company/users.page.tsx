import { Badge, Button, Code, CopyButton, Group, Pagination, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useIsManager } from '../../app/session.js';
import { ago, counted, moment } from '../../shared/format.js';
import { companyQuery } from '../../shared/queries.js';
import type { Wire } from '../../shared/wire.js';
import { ForManagers } from '../../ui/not-found.js';
import { Page } from '../../ui/page.js';
import { Loaded } from '../../ui/states.js';
import { USERS_A_PAGE, usersQuery } from './company.queries.js';
import classes from './company.module.css';

type User = Wire['FullUser'];

/** Who belongs to the company. */
export function UsersPage(): ReactNode {
  return useIsManager() ? <Users /> : <ForManagers title="Users" />;
}

function Users(): ReactNode {
  const { page = 0 } = useSearch({ from: '/users' });
  const navigate = useNavigate();
  const query = useQuery(usersQuery(page));
  const total = query.data?.total;
  return (
    <Page title="Users" subtitle={total === undefined ? '\u00a0' : `${counted(total, 'user')} of your company`}>
      <Loaded query={query} skeleton={<Skeleton h={240} />}>
        {({ users }) => <UserTable users={users} />}
      </Loaded>
      {total !== undefined && total > USERS_A_PAGE && (
        <Pagination
          mt="md"
          total={Math.ceil(total / USERS_A_PAGE)}
          value={page + 1}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          onChange={(next) => {
            void navigate({ to: '/users', search: next > 1 ? { page: next - 1 } : {} });
          }}
        />
      )}
      <HowToAdd />
    </Page>
  );
}

/** The API makes no users; who runs the service does, and has to know for which company. */
function HowToAdd(): ReactNode {
  const { data: company } = useQuery(companyQuery);
  const command = `npm run -s admin -- user:create --company ${company?.id ?? ''} --email name@example.com --role user`;
  return (
    <Stack gap="xs" mt="lg">
      <Title order={2}>Add, block, change</Title>
      <Text size="sm" c="dimmed">
        Users can’t be invited from here: whoever runs the service adds them, blocks them and gives them another role,
        with its administration command. This makes a user of your company, and prints a password:
      </Text>
      {company !== undefined && (
        <Group gap="sm" align="flex-start">
          <Code block className={classes.command}>
            {command}
          </Code>
          <CopyButton value={command}>
            {({ copied, copy }) => (
              <Button variant="default" size="xs" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
        </Group>
      )}
    </Stack>
  );
}

function UserTable({ users }: { readonly users: readonly User[] }): ReactNode {
  return (
    <div className="card">
      <Table verticalSpacing="sm" horizontalSpacing="md" className={classes.users}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Role</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Last sign-in</Table.Th>
          </Table.Tr>
        </Table.Thead>
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
      <Table.Td>{role}</Table.Td>
      <Table.Td>
        <Badge variant="dot" color={isActive ? 'teal' : 'gray'}>
          {isActive ? 'Active' : 'Blocked'}
        </Badge>
      </Table.Td>
      <Table.Td title={login === null ? undefined : moment(login)}>{login === null ? 'never' : ago(login)}</Table.Td>
    </Table.Tr>
  );
}
