import { t } from '@lingui/core/macro';
import { Alert, Modal, Switch, Text } from '@mantine/core';
import { type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useUser } from '../../app/session.js';
import { moment, TIME_ZONE } from '../../shared/format.js';
import { useChange } from '../../shared/use-change.js';
import type { DialogProps } from '../../ui/delete-dialog.js';
import { Form, switchField, useDraft } from '../../ui/form.js';
import { MailLine } from '../../ui/mail-line.js';
import { RecipientsField } from '../../ui/recipients-field.js';
import { SOME_TIME, WeeklyTimeFields } from '../../ui/weekly-time.js';
import { boardKeys, type Board } from './boards.queries.js';

/** When a board goes out by email, and to whom. */
export function MailDialog({ board, opened, onClose }: DialogProps & { readonly board: Board }): ReactNode {
  return (
    <Modal opened={opened} onClose={onClose} title={t`Send by email`} size="lg" centered>
      <MailForm board={board} onDone={onClose} />
    </Modal>
  );
}

function MailForm({ board, onDone }: { readonly board: Board; readonly onDone: () => void }): ReactNode {
  const { email } = useUser();
  const isNew = board.mail_at === null;
  const { draft, field } = useDraft({
    enabled: isNew || board.mail_enabled,
    at: board.mail_at ?? SOME_TIME,
    emails: isNew ? [email] : board.notify_emails,
  });
  const { enabled, at, emails } = draft;
  const saving = useChange({
    change: () => {
      const body = { mail_enabled: enabled, mail_at: at, notify_emails: [...emails] };
      return call(api.PATCH('/api/v1/secure/board/{id}', { params: { path: { id: board.id } }, body }));
    },
    says: ({ board: { next_mail_at: next } }) => {
      const when = next === null ? '' : moment(next);
      return next === null ? t`The board is no longer sent by email.` : t`The next email goes out on ${when}.`;
    },
    done: onDone,
    stale: [boardKeys.board(board.id)],
  });
  const isWhole = at.days.length > 0 && at.time !== '' && emails.length > 0;
  return (
    <Form
      label={t`Send by email`}
      saving={saving}
      problem={t`It was not saved`}
      action={t`Save`}
      disabled={enabled && !isWhole}
      onSubmit={saving.mutate}
      onCancel={onDone}
    >
      {board.mail_note !== null && <Alert color="yellow">{board.mail_note}</Alert>}
      <Switch
        label={t`Send this board regularly`}
        description={t`The email has the figures of that moment and the charts as pictures`}
        {...switchField(field('enabled'))}
      />
      {enabled && (
        <>
          <WeeklyTimeFields {...field('at')} />
          <RecipientsField label={t`Recipients`} {...field('emails')} />
        </>
      )}
      <LastMail at={board.last_mail_at} mails={board.last_mails} />
      <NextMail at={board.next_mail_at} />
    </Form>
  );
}

function LastMail({ at, mails }: { readonly at: string | null; readonly mails: Board['last_mails'] }): ReactNode {
  if (at === null || mails.length === 0) return null;
  const when = moment(at);
  return (
    <div>
      <Text size="sm">{t`The last email, of ${when}:`}</Text>
      <MailLine mails={mails} />
    </div>
  );
}

function NextMail({ at }: { readonly at: string | null }): ReactNode {
  if (at === null) return null;
  return (
    <Text size="sm" c="dimmed">
      {t`The next email goes out on ${moment(at)} (${TIME_ZONE}).`}
    </Text>
  );
}
