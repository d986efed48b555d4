import { t } from '@lingui/core/macro';
import { Alert, Button, Code, CopyButton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './shown-once.module.css';

interface ShownOnceProps {
  /** Says what to do with it now. */
  readonly title: string;
  readonly secret: string;
  readonly children?: ReactNode;
}

/** Whether what was made can't be found any more in what there is now; unknown: no. */
export function isRevoked(
  made: { readonly id: string },
  open: readonly { readonly id: string }[] | undefined,
): boolean {
  return open?.every(({ id }) => id !== made.id) ?? false;
}

/** A key, a secret or a link that nobody sees again. */
export function ShownOnce({ title, secret, children }: ShownOnceProps): ReactNode {
  return (
    <Alert color="yellow" title={title}>
      <Stack gap="sm" align="flex-start">
        <Code className={classes.secret}>{secret}</Code>
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy}>
              {copied ? t`Copied` : t`Copy`}
            </Button>
          )}
        </CopyButton>
        {children}
      </Stack>
    </Alert>
  );
}
