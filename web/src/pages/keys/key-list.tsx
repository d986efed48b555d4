import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Badge, Code, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useUser } from '../../app/session.js';
import { ago, date, moment, roleName } from '../../shared/format.js';
import { useChange } from '../../shared/use-change.js';
import type { Wire } from '../../shared/wire.js';
import { DeleteDialog, type DialogProps } from '../../ui/delete-dialog.js';
import { IconButton } from '../../ui/icon-button.js';
import { IconTrash } from '../../ui/icons.js';
import { KEYS, SCOPE_NAMES } from './keys.queries.js';
import classes from './keys.module.css';

type ApiKey = Wire['ApiKeyView'];

/** The keys with who they belong to and when they were used last. */
export function KeyList({ keys }: { readonly keys: readonly ApiKey[] }): ReactNode {
  return (
    <ul className="card lines" aria-label={t`API keys`}>
      {keys.map((key) => (
        <Line key={key.id} apiKey={key} />
      ))}
    </ul>
  );
}

interface LineProps {
  readonly apiKey: ApiKey;
}

function Line({ apiKey }: LineProps): ReactNode {
  const [revoking, { open, close }] = useDisclosure();
  const { name, begins, scopes, last_used_at: used } = apiKey;
  return (
    <li className={classes.line}>
      <div className={classes.what}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          <Owner apiKey={apiKey} />
          <Code>{begins}_…</Code>
        </Text>
      </div>
      <Group gap={4}>
        {scopes.map((scope) => (
          <Badge key={scope} variant="light" color="gray">
            {i18n._(SCOPE_NAMES[scope])}
          </Badge>
        ))}
      </Group>
      <Text size="sm" c="dimmed" title={used === null ? undefined : moment(used)}>
        {used === null ? t`Never used` : t`Used ${ago(used)}`}
        <br />
        <End apiKey={apiKey} />
      </Text>
      <IconButton icon={IconTrash} tip={t`Revoke`} label={t`Revoke ${name}`} onClick={open} />
      <Revocation apiKey={apiKey} opened={revoking} onClose={close} />
    </li>
  );
}

/** Said where it is not the reader's own. */
function Owner({ apiKey: { owner } }: LineProps): ReactNode {
  const { id } = useUser();
  if (owner.id === id) return null;
  if (owner.type === 'service_account') return t`Service account, ${roleName(owner.role)}` + ' · ';
  return `${owner.email === '' ? t`Deleted user` : owner.email} · `;
}

function End({ apiKey: { expires_at: end } }: LineProps): ReactNode {
  if (end === null) return t`Does not expire`;
  const isOver = new Date(end).getTime() <= Date.now();
  return (
    <Text span inherit c={isOver ? 'red' : undefined} title={moment(end)}>
      {isOver ? t`Expired ${date(end)}` : t`Expires ${date(end)}`}
    </Text>
  );
}

function Revocation({ apiKey: { id, name }, ...dialog }: LineProps & DialogProps): ReactNode {
  const revocation = useChange({
    change: () => call(api.DELETE('/api/v1/secure/api-keys/{id}', { params: { path: { id } } })),
    says: t`“${name}” was revoked.`,
    done: dialog.onClose,
    stale: [KEYS],
  });
  return (
    <DeleteDialog
      {...dialog}
      title={t`Revoke “${name}”?`}
      action={t`Revoke`}
      consequences={[t`Whatever uses this key loses its access at once.`]}
      deletion={revocation}
    />
  );
}
