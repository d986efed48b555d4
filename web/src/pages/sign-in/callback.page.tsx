import { t } from '@lingui/core/macro';
import { Alert, Anchor, Loader, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { problemOf } from '../../shared/toast.js';
import { usePageTitle } from '../../ui/page.js';
import { comeBackFromCompany } from './company-sign-in.js';
import classes from './sign-in.module.css';

/** What the provider's page sent along. The code works once, wherever it was seen: it leaves the address at once. */
const answer = new URLSearchParams(window.location.search);

/** Where the provider of a company sends people back to. */
export default function CallbackPage(): ReactNode {
  usePageTitle(t`Sign in`);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    void finish(setProblem);
  }, []);
  return (
    <main className={classes.page}>
      <Stack align="center" className={classes.column}>
        <Title order={1} size="h3">
          {problem === null ? t`Signing you in …` : t`You are not signed in`}
        </Title>
        {problem === null ? (
          <Loader aria-hidden />
        ) : (
          <>
            <Alert color="red" variant="light" role="alert">
              <Text size="sm">{problem}</Text>
            </Alert>
            <Anchor href="/">{t`Back to sign-in`}</Anchor>
          </>
        )}
      </Stack>
    </main>
  );
}

let begun = false;

async function finish(tell: (problem: string) => void): Promise<void> {
  // An effect may run twice, and the code works once.
  if (begun) return;
  begun = true;
  window.history.replaceState(null, '', window.location.pathname);
  if (answer.get('code') === null) {
    tell(t`Your company’s sign-in page did not let you in. Try again, or ask a manager of your company.`);
    return;
  }
  try {
    await comeBackFromCompany(answer);
    window.location.replace('/');
  } catch (error) {
    tell(problemOf(error));
  }
}
