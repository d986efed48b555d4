import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { date } from '../../shared/format.js';
import { useChange } from '../../shared/use-change.js';
import type { Wire } from '../../shared/wire.js';
import type { DialogProps } from '../../ui/delete-dialog.js';
import { chosen } from '../../ui/form.js';
import { IconButton } from '../../ui/icon-button.js';
import { IconTrash } from '../../ui/icons.js';
import { isRevoked, ShownOnce } from '../../ui/shown-once.js';
import { Failure } from '../../ui/states.js';
import { boardKeys, linksQuery } from './boards.queries.js';
import classes from './boards.module.css';

type Shared = { readonly board_id: string } | { readonly conversation_id: string; readonly message_id: string };

const DAYS = [
  { value: '1', label: msg`a day` },
  { value: '7', label: msg`7 days` },
  { value: '30', label: msg`30 days` },
  { value: '365', label: msg`a year` },
] as const;

/** Makes links that show a board or an answer to whoever has them, and revokes them. */
export function ShareDialog({ shared, opened, onClose }: DialogProps & { readonly shared: Shared }): ReactNode {
  const isBoard = 'board_id' in shared;
  return (
    <Modal opened={opened} onClose={onClose} title={isBoard ? t`Share this board` : t`Share this answer`} centered>
      <Stack gap="md">
        <Text size="sm">
          {isBoard
            ? t`Everyone in your company can see this board. A link shows it to anyone who has it, without signing in, always up to date.`
            : t`A link shows this question and its answer to anyone who has it, without signing in. The conversation stays private.`}
        </Text>
        <LinkForm shared={shared} />
        <OpenLinks shared={shared} />
      </Stack>
    </Modal>
  );
}

function LinkForm({ shared }: { readonly shared: Shared }): ReactNode {
  const [days, setDays] = useState('30');
  const open = useQuery(linksQuery);
  const make = useChange({
    change: () => call(api.POST('/api/v1/secure/share', { body: { ...shared, days: Number(days) } })),
    stale: [boardKeys.links],
  });
  const made = make.data;
  return (
    <form
      aria-label={t`Create link`}
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <Stack gap="md">
        <Group align="flex-end" gap="sm">
          <Select
            label={t`The link works for`}
            data={DAYS.map(({ value, label }) => ({ value, label: i18n._(label) }))}
            value={days}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            onChange={chosen(setDays)}
          />
          <Button type="submit" loading={make.isPending}>
            {t`Create link`}
          </Button>
        </Group>
        {make.error !== null && <Failure error={make.error} title={t`The link was not created`} />}
        {made !== undefined && !isRevoked(made.link, open.error === null ? open.data?.links : undefined) && (
          <ShownOnce
            title={t`This link works until ${date(made.link.expires_at)}, and is not shown again`}
            secret={`${window.location.origin}/shared#${made.token}`}
          />
        )}
      </Stack>
    </form>
  );
}

type Link = Wire['ShareLinkView'];

function OpenLinks({ shared }: { readonly shared: Shared }): ReactNode {
  const { data, error } = useQuery(linksQuery);
  if (error !== null) return <Failure error={error} title={t`The open links could not be loaded`} />;
  const links = (data?.links ?? []).filter((link) =>
    'board_id' in shared ? link.board_id === shared.board_id : link.message_id === shared.message_id,
  );
  if (links.length === 0) return null;
  return (
    <ul className={classes.links} aria-label={t`Open links`}>
      {links.map((link) => (
        <OpenLink key={link.id} link={link} />
      ))}
    </ul>
  );
}

function OpenLink({
  link: { id, made_by: by, created_at: made, expires_at: end },
}: {
  readonly link: Link;
}): ReactNode {
  const revoke = useChange({
    change: () => call(api.DELETE('/api/v1/secure/share/{id}', { params: { path: { id } } })),
    says: t`The link was revoked`,
    stale: [boardKeys.links],
  });
  return (
    <li>
      <Text size="sm">{t`Made by ${by} on ${date(made)}, until ${date(end)}`}</Text>
      <IconButton
        icon={IconTrash}
        tip={t`Revoke`}
        label={t`Revoke the link of ${date(made)}`}
        loading={revoke.isPending}
        onClick={revoke.mutate}
      />
    </li>
  );
}
