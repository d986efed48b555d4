import { t } from '@lingui/core/macro';
import { Anchor, Button, Modal, Select, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useIsManager, useUser } from '../../app/session.js';
import type { Wire } from '../../shared/wire.js';
import { chosen, Form, typed } from '../../ui/form.js';
import { IconPin } from '../../ui/icons.js';
import { Loaded } from '../../ui/states.js';
import { boardKeys, boardsQuery } from './boards.queries.js';

type Pin = Wire['PinBody'];

interface PinButtonProps {
  /** An answer, or a plan with what is drawn of it. */
  readonly pinned:
    | Required<Pick<Pin, 'conversation_id' | 'message_id'>>
    | (Required<Pick<Pin, 'datasource_id' | 'plan'>> & Pick<Pin, 'chart' | 'title'>);
}

/** Puts a figure on a board that one may change, or on a new one. */
export function PinButton({ pinned }: PinButtonProps): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        leftSection={<IconPin size={15} aria-hidden />}
        onClick={open}
      >
        {t`Pin to board`}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t`Pin to board`} centered>
        <Choice pinned={pinned} />
      </Modal>
    </>
  );
}

const NEW = 'new';
const MOST_SHOWN = 100;

function Choice({ pinned }: PinButtonProps): ReactNode {
  const user = useUser();
  const isManager = useIsManager();
  const boards = useQuery(boardsQuery(0, MOST_SHOWN));
  return (
    <Loaded query={boards} skeleton={<Text size="sm">{t`Loading your boards…`}</Text>}>
      {({ boards: all }) => (
        <PinForm pinned={pinned} boards={all.filter(({ created_by: by }) => isManager || by.id === user.id)} />
      )}
    </Loaded>
  );
}

interface PinFormProps extends PinButtonProps {
  readonly boards: readonly Wire['BoardSummaryView'][];
}

function PinForm({ pinned, boards }: PinFormProps): ReactNode {
  const queries = useQueryClient();
  const [board, setBoard] = useState(boards[0]?.id ?? NEW);
  const [title, setTitle] = useState('');
  const pin = useMutation({
    mutationFn: async () => {
      const made = board === NEW ? (await call(api.POST('/api/v1/secure/board', { body: { title } }))).board.id : board;
      // Should pinning fail, another try takes the board that there is.
      setBoard(made);
      await queries.invalidateQueries({ queryKey: boardKeys.lists });
      await call(api.POST('/api/v1/secure/board/{id}/tile', { params: { path: { id: made } }, body: pinned }));
      await queries.invalidateQueries({ queryKey: boardKeys.all });
      return made;
    },
  });
  if (pin.data !== undefined)
    return (
      <Text role="status">
        {t`Pinned.`}{' '}
        <Anchor renderRoot={(props) => <Link to="/boards/$id" params={{ id: pin.data }} {...props} />}>
          {t`Open the board`}
        </Anchor>
      </Text>
    );
  return (
    <Form
      label={t`Pin to board`}
      saving={pin}
      problem={t`It was not pinned`}
      action={t`Pin`}
      disabled={board === NEW && title.trim() === ''}
      onSubmit={pin.mutate}
    >
      <Select
        label={t`Board`}
        data={[
          ...boards.map(({ id, title: name }) => ({ value: id, label: name })),
          { value: NEW, label: t`A new board` },
        ]}
        value={board}
        allowDeselect={false}
        searchable={boards.length > 8}
        onChange={chosen(setBoard)}
      />
      {board === NEW && (
        <TextInput
          label={t`Title of the new board`}
          required
          withAsterisk={false}
          maxLength={200}
          value={title}
          onChange={typed(setTitle)}
        />
      )}
    </Form>
  );
}
