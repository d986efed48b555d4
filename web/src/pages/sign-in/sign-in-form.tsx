import { ApiError } from '@data-analytics/client';
import { plural, t } from '@lingui/core/macro';
import { Alert, Anchor, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { api, call, client } from '../../app/client.js';
import { sentence } from '../../shared/format.js';
import { typed } from '../../ui/form.js';
import { IconAlertCircle } from '../../ui/icons.js';
import { leaveForCompany } from './company-sign-in.js';

/** With `email` it is for that user alone. */
export function SignInForm({ email: fixed }: { readonly email?: string }): ReactNode {
  const [email, setEmail] = useState(fixed ?? '');
  const [password, setPassword] = useState('');
  const [told, setTold] = useState<string | null>(null);
  const { problem, isBusy, attempt } = useAttempt();
  const address = email.trim();
  /** Of the link of a company. */
  const company = new URLSearchParams(window.location.search).get('company');
  const forgotten = async (): Promise<void> => {
    await call(api.POST('/api/v1/forgotten-password', { body: { email: address } }));
    setTold(
      t`If ${address} has an account, a mail with a link for a new password is on its way. It works for an hour.`,
    );
  };
  const withCompany = (): Promise<void> =>
    attempt(
      () => leaveForCompany(company === null ? { email: address } : { company_id: company }),
      company === null && address === '',
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(() => client.signIn(address, password));
      }}
      aria-label={t`Sign in`}
    >
      <Stack gap="md">
        <TextInput
          label={t`Email`}
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          readOnly={fixed !== undefined}
          autoFocus={fixed === undefined}
          value={email}
          onChange={typed(setEmail)}
        />
        <PasswordInput
          label={t`Password`}
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus={fixed !== undefined || undefined}
          value={password}
          onChange={typed(setPassword)}
        />
        <Anchor
          component="button"
          type="button"
          size="sm"
          ta="start"
          disabled={isBusy}
          onClick={() => void attempt(forgotten, address === '')}
        >
          {t`Forgot your password?`}
        </Anchor>
        {problem !== null && (
          <Alert color="red" variant="light" role="alert" icon={<IconAlertCircle size={18} />}>
            {problem}
          </Alert>
        )}
        {problem === null && told !== null && <Alert color="teal" variant="light" role="status" title={told} />}
        <Button type="submit" loading={isBusy} fullWidth>
          {t`Sign in`}
        </Button>
        <Divider label={t`or`} />
        <Button variant="default" fullWidth disabled={isBusy} onClick={() => void withCompany()}>
          {t`Sign in with your company`}
        </Button>
      </Stack>
    </form>
  );
}

function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) return t`Something went wrong on this page. Reload it and try again.`;
  if (error.isOffline) return t`The service can’t be reached. Check your connection and try again.`;
  // Of what is away it says so too, though waiting gives no mail to a service that sends none.
  const wait = error.status === 429 ? error.retryAfter : null;
  const again = wait === null ? '' : t`Try again in ${plural(wait, { one: '# second', other: '# seconds' })}.`;
  return `${sentence(error.message)} ${again}`.trim();
}

interface Attempt {
  /** What the last one failed with. */
  readonly problem: string | null;
  readonly isBusy: boolean;
  /** Nothing is done while the address `isMissing`. */
  readonly attempt: (work: () => Promise<unknown>, isMissing?: boolean) => Promise<void>;
}

function useAttempt(): Attempt {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  async function attempt(work: () => Promise<unknown>, isMissing = false): Promise<void> {
    if (isMissing) {
      setProblem(t`Enter your email address first.`);
      return;
    }
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(problemOf(error));
    }
    setBusy(false);
  }
  return { problem, isBusy, attempt };
}
