import { t } from '@lingui/core/macro';
import { Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { date, roleName } from '../../shared/format.js';
import { useChange } from '../../shared/use-change.js';
import type { Wire } from '../../shared/wire.js';
import { Form, typed } from '../../ui/form.js';
import { IconButton } from '../../ui/icon-button.js';
import { IconTrash } from '../../ui/icons.js';
import { MailLine } from '../../ui/mail-line.js';
import { isRevoked, ShownOnce } from '../../ui/shown-once.js';
import { INVITATIONS, invitationsQuery } from './company.queries.js';
import classes from './company.module.css';

type Invitation = Wire['OpenInvitationView'];
type Role = Wire['InviteBody']['role'];

const ROLES: readonly Role[] = ['user', 'manager'];

/** Invites somebody, and lists the links that are open. */
export function Invitations(): ReactNode {
  const { data, error } = useQuery(invitationsQuery);
  const open = data?.invitations ?? [];
  return (
    <Stack gap="md" mb="lg">
      <InviteForm open={error === null ? data?.invitations : undefined} />
      {open.length > 0 && (
        <ul className="card lines" aria-label={t`Open links`}>
          {open.map((invitation) => (
            <OpenInvitation key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      )}
    </Stack>
  );
}

function InviteForm({ open }: { readonly open: readonly Invitation[] | undefined }): ReactNode {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('user');
  const invite = useChange({
    change: () => call(api.POST('/api/v1/secure/invitation', { body: { email: email.trim(), role } })),
    done: () => {
      setEmail('');
    },
    stale: [INVITATIONS],
  });
  const made = invite.data;
  return (
    <Form
      title={t`Invite someone`}
      label={t`Invite`}
      saving={invite}
      problem={t`The invitation was not created`}
      action={t`Create link`}
      onSubmit={invite.mutate}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t`Email`}
          type="email"
          required
          withAsterisk={false}
          value={email}
          onChange={typed(setEmail)}
        />
        <Select
          label={t`Role`}
          data={ROLES.map((value) => ({ value, label: roleName(value) }))}
          allowDeselect={false}
          value={role}
          onChange={(next) => {
            if (next === 'user' || next === 'manager') setRole(next);
          }}
        />
      </SimpleGrid>
      {made !== undefined && !isRevoked(made.invitation, open) && <MadeLink made={made} />}
    </Form>
  );
}

/** Where the service sends no mail, how the link gets to somebody is up to the manager. */
export function MadeLink({ made }: { readonly made: Wire['InvitationMadeResponse'] }): ReactNode {
  const { token, mailed, invitation } = made;
  const { email } = invitation;
  return (
    <ShownOnce
      title={
        mailed
          ? t`A mail with this link is on its way to ${email}. It works once, within 7 days, and is not shown again.`
          : t`Send this link to ${email}. It works once, within 7 days, and is not shown again.`
      }
      secret={`${window.location.origin}/invitation#${token}`}
    />
  );
}

function OpenInvitation({ invitation }: { readonly invitation: Invitation }): ReactNode {
  const { id, email, role, purpose, invited_by: by, expires_at: end, mails } = invitation;
  const revoke = useChange({
    change: () => call(api.DELETE('/api/v1/secure/invitation/{id}', { params: { path: { id } } })),
    says: t`The link for ${email} was revoked.`,
    stale: [INVITATIONS],
  });
  return (
    <li className={classes.invitation}>
      <div>
        <Text fw={600} size="sm">
          {email}
        </Text>
        <Text size="sm" c="dimmed">
          {purpose === 'reset'
            ? t`New password, link by ${by}, valid until ${date(end)}`
            : t`${roleName(role)}, invited by ${by}, valid until ${date(end)}`}
        </Text>
        <MailLine mails={mails} />
      </div>
      <IconButton
        icon={IconTrash}
        tip={t`Revoke`}
        label={t`Revoke the link for ${email}`}
        loading={revoke.isPending}
        onClick={revoke.mutate}
      />
    </li>
  );
}
