import { t } from '@lingui/core/macro';
import { Anchor, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { client } from '../../app/client.js';
import { useUser } from '../../app/session.js';
import { SignInForm } from './sign-in-form.js';

/** Over the page, which stays as it is: what was typed is there afterwards, and what was sent goes on its way. */
export function SignInAgain(): ReactNode {
  const { email } = useUser();
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={t`Your session has ended`}
      centered
    >
      <Stack gap="md">
        <Text size="sm">{t`Sign in again to continue. Nothing that you typed is lost.`}</Text>
        <SignInForm email={email} />
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => {
            void client.signOut().catch(() => undefined);
          }}
        >
          {t`Leave this page and sign in as someone else`}
        </Anchor>
      </Stack>
    </Modal>
  );
}
