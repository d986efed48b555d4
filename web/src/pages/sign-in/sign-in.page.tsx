import { t } from '@lingui/core/macro';
import { Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { PRODUCT, usePageTitle } from '../../ui/page.js';
import { SignInForm } from './sign-in-form.js';
import classes from './sign-in.module.css';

/** Stands at whatever address was asked for, so that a link leads on after it. */
export function SignInPage(): ReactNode {
  usePageTitle(t`Sign in`);
  return (
    <main className={classes.page}>
      <div className={classes.column}>
        <div className={classes.brand}>
          <img src="/icon.svg" alt="" width={40} height={40} />
          <Title order={1}>{PRODUCT}</Title>
          <Text c="dimmed">{t`Upload tables, explore them, ask questions.`}</Text>
        </div>
        <Paper className="card" p="xl">
          <SignInForm />
        </Paper>
        <Text size="sm" c="dimmed" ta="center">
          {t`No account yet? A manager of your company can invite you.`}
        </Text>
      </div>
    </main>
  );
}
