import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Wire } from '../shared/wire.js';

/** Who was told by mail, who could not be, and who could not be so far. */
export function MailLine({ mails }: { readonly mails: readonly Wire['MailView'][] }): ReactNode {
  if (mails.length === 0) return null;
  const sent = mails.filter(({ error }) => error === null).map(({ to }) => to);
  const missed = mails.filter(({ error }) => error !== null);
  return (
    <Text size="sm" c="dimmed" component="div">
      {sent.length > 0 && <div>{t`Mailed to ${sent.join(', ')}`}</div>}
      {missed.map(({ to, status, error }) => (
        <div key={to}>
          {status === 'failed'
            ? t`Not mailed to ${to}: ${error ?? ''}`
            : t`Not yet mailed to ${to}, it is tried again: ${error ?? ''}`}
        </div>
      ))}
    </Text>
  );
}
