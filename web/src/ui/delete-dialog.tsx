import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from './states.js';

interface DeleteDialogProps {
  readonly opened: boolean;
  /** `Delete Weather?` */
  readonly title: string;
  /** What goes along. */
  readonly consequences: readonly string[];
  /** What the button says; `Delete` unless it is given. */
  readonly action?: string;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is gone for good, and says what goes along. */
export function DeleteDialog(props: DeleteDialogProps): ReactNode {
  const { opened, title, consequences, action = 'Delete', isBusy, error, onConfirm, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered>
      <Stack gap="md">
        <Text size="sm">This can’t be undone. With it go:</Text>
        <List size="sm" spacing={4}>
          {consequences.map((consequence) => (
            <List.Item key={consequence}>{consequence}</List.Item>
          ))}
        </List>
        {error !== null && <Failure error={error} title="It was not deleted" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button color="red" loading={isBusy} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
