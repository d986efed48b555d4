import { ApiError } from '@data-analytics/client';
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { client } from '../../app/client.js';
import { sentence } from '../../shared/format.js';

/** With `email` it is for that user alone. */
export function SignInForm({ email: fixed }: { readonly email?: string }): ReactNode {
  const [email, setEmail] = useState(fixed ?? '');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await client.signIn(email.trim(), password);
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} aria-label="Sign in">
      <Stack gap="md">
        <TextInput
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          readOnly={fixed !== undefined}
          data-autofocus={fixed === undefined || undefined}
          value={email}
          onChange={({ currentTarget }) => {
            setEmail(currentTarget.value);
          }}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus={fixed !== undefined || undefined}
          value={password}
          onChange={({ currentTarget }) => {
            setPassword(currentTarget.value);
          }}
        />
        {problem !== null && (
          <Alert color="red" variant="light" role="alert" icon={<IconAlertCircle size={18} />}>
            {problem}
          </Alert>
        )}
        <Button type="submit" loading={isBusy} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Something went wrong here. Reload the page and try again.';
  if (error.isOffline) return 'The service can’t be reached. Check your connection and try again.';
  const wait = error.retryAfter === null ? '' : ` Try again in ${String(error.retryAfter)} seconds.`;
  return `${sentence(error.message)}${wait}`;
}
