import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Wire } from '../shared/wire.js';

/** Who was told by mail, and who could not be. */
export function MailLine({ mails }: { readonly mails: readonly Wire['MailView'][] }): ReactNode {
  if (mails.length === 0) return null;
  const sent = mails.filter(({ status }) => status !== 'failed').map(({ to }) => to);
  const missed = mails.filter(({ status }) => status === 'failed');
  return (
    <Text size="sm" c="dimmed" component="div">
      {sent.length > 0 && <div>{t`Mailed to ${sent.join(', ')}`}</div>}
      {missed.map(({ to, error }) => (
        <div key={to}>{t`Not mailed to ${to}: ${error ?? ''}`}</div>
      ))}
    </Text>
  );
}
