import { t } from '@lingui/core/macro';
import { ActionIcon, Checkbox, Menu, Modal } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useUser } from '../../app/session.js';
import { roleName } from '../../shared/format.js';
import { useChange } from '../../shared/use-change.js';
import type { Wire } from '../../shared/wire.js';
import { DeleteDialog } from '../../ui/delete-dialog.js';
import { ticked } from '../../ui/form.js';
import { IconDots } from '../../ui/icons.js';
import { INVITATIONS, USERS } from './company.queries.js';
import { MadeLink } from './invitations.js';

type User = Wire['FullUser'];

/** What a manager does with somebody else's account. */
export function MemberMenu({ user }: { readonly user: User }): ReactNode {
  const { id: own, role: ownRole } = useUser();
  const [isRemoving, setRemoving] = useState(false);
  const [erase, setErase] = useState(false);
  const actions = useMemberActions(user, erase);
  if (user.id === own || (user.role === 'system' && ownRole !== 'system')) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${user.email}`}>
            <IconDots />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            onClick={() => {
              actions.change.mutate({ role: user.role === 'manager' ? 'user' : 'manager' });
            }}
          >
            {user.role === 'manager' ? t`Change to user` : t`Change to manager`}
          </Menu.Item>
          <Menu.Item
            onClick={() => {
              actions.change.mutate({ is_active: !user.is_active });
            }}
          >
            {user.is_active ? t`Block` : t`Unblock`}
          </Menu.Item>
          <Menu.Item
            onClick={() => {
              actions.reset.mutate();
            }}
          >
            {t`Reset password`}
          </Menu.Item>
          <Menu.Item
            color="red"
            onClick={() => {
              setRemoving(true);
            }}
          >
            {t`Remove`}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={actions.reset.data !== undefined} onClose={actions.reset.reset} title={t`New password`} centered>
        {actions.reset.data !== undefined && <MadeLink made={actions.reset.data} />}
      </Modal>
      <DeleteDialog
        opened={isRemoving}
        title={t`Remove ${user.email}?`}
        action={t`Remove`}
        consequences={[
          t`The account, its sessions and its API keys are deleted.`,
          t`All conversations of this person are deleted.`,
        ]}
        deletion={actions.remove}
        onClose={() => {
          setRemoving(false);
        }}
      >
        <Checkbox
          label={t`Erase all data of this person`}
          description={t`Also their unused uploads, and their name and questions in the audit log`}
          checked={erase}
          onChange={ticked(setErase)}
        />
      </DeleteDialog>
    </>
  );
}

function useMemberActions({ id, email }: User, erase: boolean) {
  const path = { path: { id } };
  const change = useChange({
    change: (body: Wire['ChangeMemberBody']) => call(api.PATCH('/api/v1/secure/user/{id}', { params: path, body })),
    says: ({ user }) => {
      const role = roleName(user.role);
      return user.is_active ? t`${email} can sign in, with the role ${role}.` : t`${email} is blocked now.`;
    },
    stale: [USERS],
    problem: t`${email} was not changed`,
  });
  const reset = useChange({
    change: () => call(api.POST('/api/v1/secure/user/{id}/reset', { params: path })),
    stale: [INVITATIONS],
    problem: t`The link was not created`,
  });
  const remove = useChange({
    change: () =>
      call(
        api.DELETE('/api/v1/secure/user/{id}', { params: { ...path, ...(erase ? { query: { erase: 'true' } } : {}) } }),
      ),
    says: t`${email} was removed.`,
    stale: [USERS],
  });
  return { change, reset, remove };
}
