import { t } from '@lingui/core/macro';
import { ActionIcon, Menu, Modal, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { saveDownload } from '../../shared/save.js';
import { failed } from '../../shared/toast.js';
import { useChange } from '../../shared/use-change.js';
import { DeleteDialog, type DialogProps } from '../../ui/delete-dialog.js';
import { useSaving } from '../../ui/download-button.js';
import { Form, typed } from '../../ui/form.js';
import { IconDots, IconNotebook, IconPencil, IconPin, IconPinnedOff, IconTrash } from '../../ui/icons.js';
import { useDeleted } from '../../ui/undo.js';
import { assistantKeys, type Conversation } from './assistant.queries.js';

interface Change {
  readonly title?: string;
  readonly pinned?: boolean;
}

/** What can be done with a conversation beside talking. */
export function ConversationMenu({ conversation }: { readonly conversation: Conversation }): ReactNode {
  const { _id: id, pinned } = conversation;
  const [renaming, rename] = useDisclosure();
  const [deleting, deletion] = useDisclosure();
  const change = useConversationChange(id);
  const query = { conversation_id: id };
  const saving = useSaving(() => saveDownload('/api/v1/secure/assistant/history/notebook', query, 0));
  const Pin = pinned ? IconPinnedOff : IconPin;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t`More actions`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<Pin />}
            onClick={() => {
              change.mutate(
                { pinned: !pinned },
                {
                  onError: (error) => {
                    failed(t`The conversation was not changed`, error);
                  },
                },
              );
            }}
          >
            {pinned ? t`Unpin` : t`Pin`}
          </Menu.Item>
          <Menu.Item leftSection={<IconPencil />} onClick={rename.open}>
            {t`Rename`}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconNotebook />}
            disabled={saving.isPending}
            onClick={() => {
              saving.mutate();
            }}
          >
            {t`Save as notebook`}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash />} onClick={deletion.open}>
            {t`Delete`}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={renaming} onClose={rename.close} title={t`Rename`} centered>
        <Rename conversation={conversation} change={change} onClose={rename.close} />
      </Modal>
      <Deletion conversation={conversation} opened={deleting} onClose={deletion.close} />
    </>
  );
}

type Changing = UseMutationResult<unknown, Error, Change>;

function useConversationChange(id: string): Changing {
  return useChange({
    change: (body: Change) => call(api.PUT('/api/v1/secure/assistant/conversation', { body: { id, ...body } })),
    stale: [assistantKeys.conversations, assistantKeys.conversation(id)],
  });
}

interface RenameProps {
  readonly conversation: Conversation;
  readonly change: Changing;
  readonly onClose: () => void;
}

function Rename({ conversation, change, onClose }: RenameProps): ReactNode {
  const [title, setTitle] = useState(conversation.title);
  return (
    <Form
      saving={change}
      problem={t`The conversation was not renamed`}
      action={t`Rename`}
      disabled={title.trim() === ''}
      onSubmit={() => {
        change.mutate({ title: title.trim() }, { onSuccess: onClose });
      }}
      onCancel={onClose}
    >
      <TextInput label={t`Title`} data-autofocus required maxLength={200} value={title} onChange={typed(setTitle)} />
    </Form>
  );
}

function Deletion({
  conversation: { _id: id, title },
  ...dialog
}: DialogProps & { readonly conversation: Conversation }): ReactNode {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const deleted = useDeleted();
  const deletion = useMutation({
    mutationFn: () => call(api.DELETE('/api/v1/secure/assistant/conversation', { body: { id } })),
    onSuccess: async () => {
      deleted(id, title);
      await navigate({ to: '/assistant' });
      queries.removeQueries({ queryKey: assistantKeys.conversation(id) });
      await queries.invalidateQueries({ queryKey: assistantKeys.conversations });
    },
  });
  return (
    <DeleteDialog
      {...dialog}
      title={t`Delete “${title}”?`}
      consequences={[t`All its questions, answers and charts are deleted.`]}
      restorable
      deletion={deletion}
    />
  );
}
