import {
  ActionIcon,
  Alert,
  Button,
  Code,
  CopyButton,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
  Tooltip,
} from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { date } from '../../shared/format.js';
import { told } from '../../shared/toast.js';
import type { Wire } from '../../shared/wire.js';
import { Failure } from '../../ui/states.js';
import { INVITATIONS, invitationsQuery } from './company.queries.js';
import classes from './company.module.css';

type Invitation = Wire['InvitationView'];
type Role = Wire['InviteBody']['role'];

const ROLES: readonly { readonly value: Role; readonly label: string }[] = [
  { value: 'user', label: 'User' },
  { value: 'manager', label: 'Manager' },
];

/** Invites somebody, and lists the links that are open. */
export function Invitations(): ReactNode {
  const { data } = useQuery(invitationsQuery);
  const open = data?.invitations ?? [];
  return (
    <Stack gap="md" mb="lg">
      <InviteForm />
      {open.length > 0 && (
        <ul className={`card ${classes.invitations ?? ''}`} aria-label="Open links">
          {open.map((invitation) => (
            <OpenInvitation key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      )}
    </Stack>
  );
}

function InviteForm(): ReactNode {
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('user');
  const invite = useMutation({
    mutationFn: () => call(api.POST('/api/v1/secure/invitation', { body: { email: email.trim(), role } })),
    onSuccess: () => {
      setEmail('');
      return queries.invalidateQueries({ queryKey: INVITATIONS });
    },
  });
  return (
    <form
      className={`card ${classes.part ?? ''}`}
      aria-label="Invite"
      onSubmit={(event) => {
        event.preventDefault();
        invite.mutate();
      }}
    >
      <Stack gap="md">
        <Title order={2}>Invite somebody</Title>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="Email"
            type="email"
            required
            withAsterisk={false}
            value={email}
            onChange={({ currentTarget }) => {
              setEmail(currentTarget.value);
            }}
          />
          <Select
            label="Role"
            data={ROLES}
            allowDeselect={false}
            value={role}
            onChange={(next) => {
              if (next === 'user' || next === 'manager') setRole(next);
            }}
          />
        </SimpleGrid>
        {invite.data !== undefined && <MadeLink email={invite.data.invitation.email} token={invite.data.token} />}
        {invite.error !== null && <Failure error={invite.error} title="The invitation was not made" />}
        <Group>
          <Button type="submit" loading={invite.isPending}>
            Make a link
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** A link that is shown once; how it gets to somebody is up to the manager. */
export function MadeLink({ email, token }: { readonly email: string; readonly token: string }): ReactNode {
  const link = `${window.location.origin}/invitation#${token}`;
  return (
    <Alert color="yellow" title={`Send this link to ${email}: it works once, for 7 days, and is not shown again`}>
      <Stack gap="sm" align="flex-start">
        <Code className={classes.secret}>{link}</Code>
        <CopyButton value={link}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Stack>
    </Alert>
  );
}

function OpenInvitation({ invitation }: { readonly invitation: Invitation }): ReactNode {
  const { id, email, role, purpose, invited_by: by, expires_at: end } = invitation;
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => call(api.DELETE('/api/v1/secure/invitation/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      told(`The link for ${email} was revoked`);
      return queries.invalidateQueries({ queryKey: INVITATIONS });
    },
  });
  return (
    <li className={classes.invitation}>
      <div>
        <Text fw={600} size="sm">
          {email}
        </Text>
        <Text size="sm" c="dimmed">
          {purpose === 'reset' ? 'New password' : `Invited as ${role}`} by {by}, until {date(end)}
        </Text>
      </div>
      <Tooltip label="Revoke">
        <ActionIcon
          variant="subtle"
          color="gray"
          loading={revoke.isPending}
          aria-label={`Revoke the link for ${email}`}
          onClick={() => {
            revoke.mutate();
          }}
        >
          <IconTrash size={16} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}
