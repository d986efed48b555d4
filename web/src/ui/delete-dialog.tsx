import { t } from '@lingui/core/macro';
import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { begins } from './form.js';
import { Failure } from './states.js';

/** Of whatever dialog. */
export interface DialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

interface DeleteDialogProps extends DialogProps {
  /** `Delete Weather?` */
  readonly title: string;
  /** What goes along, a sentence each. */
  readonly consequences: readonly string[];
  /** What the button says; `Delete` unless it is given. */
  readonly action?: string;
  /** It stays in the bin for a while. */
  readonly restorable?: boolean;
  readonly deletion: { readonly isPending: boolean; readonly error: Error | null; readonly mutate: () => void };
  /** What can be chosen beside it. */
  readonly children?: ReactNode;
}

/** Asks before something is deleted, and says what goes along. */
export function DeleteDialog(props: DeleteDialogProps): ReactNode {
  const { opened, title, consequences, action = t`Delete`, restorable = false, deletion, children, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered>
      <Stack gap="md">
        <Text size="sm">{restorable ? t`It stays in the bin for 30 days:` : t`This can’t be undone:`}</Text>
        <List size="sm" spacing={4}>
          {consequences.map((consequence) => (
            <List.Item key={consequence}>{consequence}</List.Item>
          ))}
        </List>
        {children}
        {deletion.error !== null && <Failure error={deletion.error} title={t`That did not work`} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t`Cancel`}
          </Button>
          <Button color="red" {...begins(deletion)}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
