import { t } from '@lingui/core/macro';
import { Alert, Anchor, Button, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useEffect, useState, type ReactNode, type SubmitEvent } from 'react';
import { api, call, client } from '../../app/client.js';
import { date } from '../../shared/format.js';
import { problemOf } from '../../shared/toast.js';
import type { Wire } from '../../shared/wire.js';
import { textField, useDraft } from '../../ui/form.js';
import { PRODUCT, usePageTitle } from '../../ui/page.js';
import classes from './sign-in.module.css';

type Seen = Wire['InvitationSeenView'];

/** Where a link leads that a manager made: to join the company, or to choose a new password. */
export default function InvitationPage(): ReactNode {
  usePageTitle(t`Invitation`);
  const token = window.location.hash.slice(1);
  const [seen, setSeen] = useState<Seen | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    call(api.POST('/api/v1/invitation/look', { body: { token } })).then(
      ({ invitation }) => {
        setSeen(invitation);
      },
      (error: unknown) => {
        setProblem(problemOf(error));
      },
    );
  }, [token]);
  return (
    <main className={classes.page}>
      <div className={classes.column}>
        <div className={classes.brand}>
          <img src="/icon.svg" alt="" width={40} height={40} />
          <Title order={1}>{PRODUCT}</Title>
        </div>
        <Paper className="card" p="xl">
          {problem !== null && (
            <Stack>
              <Alert color="red" variant="light" role="alert">
                {problem}
              </Alert>
              <Anchor href="/">{t`Sign in`}</Anchor>
            </Stack>
          )}
          {seen !== null && <AcceptForm token={token} seen={seen} />}
        </Paper>
      </div>
    </main>
  );
}

function AcceptForm({ token, seen }: { readonly token: string; readonly seen: Seen }): ReactNode {
  const isNew = seen.purpose === 'join';
  const { draft, field } = useDraft({ first: '', last: '', password: '' });
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const names = isNew ? { first_name: draft.first, last_name: draft.last } : {};
      const body = { token, password: draft.password, ...names };
      const { email } = await call(api.POST('/api/v1/invitation/accept', { body }));
      await client.signIn(email, draft.password);
      window.location.replace('/');
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} aria-label={isNew ? t`Join` : t`New password`}>
      <Stack gap="md">
        <Title order={2}>{isNew ? t`Join ${seen.company}` : t`Choose a new password`}</Title>
        <Text size="sm" c="dimmed">
          {t`For ${seen.email}. This link works once, until ${date(seen.expires_at)}.`}
        </Text>
        {isNew && (
          <>
            <TextInput label={t`First name`} autoComplete="given-name" maxLength={100} {...textField(field('first'))} />
            <TextInput label={t`Last name`} autoComplete="family-name" maxLength={100} {...textField(field('last'))} />
          </>
        )}
        {/* Password managers save the new password under the address. */}
        <input type="hidden" name="username" autoComplete="username" value={seen.email} readOnly />
        <PasswordInput
          label={t`Password`}
          description={t`At least 8 characters`}
          autoComplete="new-password"
          required
          withAsterisk={false}
          minLength={8}
          {...textField(field('password'))}
        />
        {problem !== null && (
          <Alert color="red" variant="light" role="alert">
            {problem}
          </Alert>
        )}
        <Button type="submit" loading={isBusy} fullWidth>
          {isNew ? t`Join` : t`Save the password`}
        </Button>
      </Stack>
    </form>
  );
}
