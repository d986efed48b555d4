import { ActionIcon, Menu, Modal } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useUser } from '../../app/session.js';
import { failed, told } from '../../shared/toast.js';
import type { Wire } from '../../shared/wire.js';
import { DeleteDialog } from '../../ui/delete-dialog.js';
import { INVITATIONS, USERS } from './company.queries.js';
import { MadeLink } from './invitations.js';

type User = Wire['FullUser'];

/** What a manager does with somebody else's account. */
export function MemberMenu({ user }: { readonly user: User }): ReactNode {
  const { id: own, role: ownRole } = useUser();
  const [isRemoving, setRemoving] = useState(false);
  const actions = useMemberActions(user);
  if (user.id === own || (user.role === 'system' && ownRole !== 'system')) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${user.email}`}>
            <IconDots size={16} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            onClick={() => {
              actions.change.mutate({ role: user.role === 'manager' ? 'user' : 'manager' });
            }}
          >
            {user.role === 'manager' ? 'Make a user' : 'Make a manager'}
          </Menu.Item>
          <Menu.Item
            onClick={() => {
              actions.change.mutate({ is_active: !user.is_active });
            }}
          >
            {user.is_active ? 'Block' : 'Let in again'}
          </Menu.Item>
          <Menu.Item
            onClick={() => {
              actions.reset.mutate();
            }}
          >
            Link for a new password
          </Menu.Item>
          <Menu.Item
            color="red"
            onClick={() => {
              setRemoving(true);
            }}
          >
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={actions.reset.data !== undefined} onClose={actions.reset.reset} title="New password" centered>
        {actions.reset.data !== undefined && <MadeLink email={user.email} token={actions.reset.data.token} />}
      </Modal>
      <DeleteDialog
        opened={isRemoving}
        title={`Remove ${user.email}?`}
        action="Remove"
        consequences={['the account, its sessions and its API keys', 'their conversations']}
        isBusy={actions.remove.isPending}
        error={actions.remove.error}
        onConfirm={() => {
          actions.remove.mutate();
        }}
        onClose={() => {
          setRemoving(false);
        }}
      />
    </>
  );
}

function useMemberActions({ id, email }: User) {
  const queries = useQueryClient();
  const path = { path: { id } };
  const change = useMutation({
    mutationFn: (body: Wire['ChangeMemberBody']) => call(api.PATCH('/api/v1/secure/user/{id}', { params: path, body })),
    onSuccess: ({ user }) => {
      told(`${email} is ${user.is_active ? `a ${user.role}` : 'blocked'} now`);
      return queries.invalidateQueries({ queryKey: USERS });
    },
    onError: (error) => {
      failed(`${email} was not changed`, error);
    },
  });
  const reset = useMutation({
    mutationFn: () => call(api.POST('/api/v1/secure/user/{id}/reset', { params: path })),
    onSuccess: () => queries.invalidateQueries({ queryKey: INVITATIONS }),
    onError: (error) => {
      failed('The link was not made', error);
    },
  });
  const remove = useMutation({
    mutationFn: () => call(api.DELETE('/api/v1/secure/user/{id}', { params: path })),
    onSuccess: () => {
      told(`${email} was removed`);
      return queries.invalidateQueries({ queryKey: USERS });
    },
  });
  return { change, reset, remove };
}
