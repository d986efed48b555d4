import { plural, t } from '@lingui/core/macro';
import { Button, Modal, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { ago, moment } from '../../shared/format.js';
import { useChange } from '../../shared/use-change.js';
import { Form, typed } from '../../ui/form.js';
import { IconLayoutDashboard, IconPlus } from '../../ui/icons.js';
import { Page } from '../../ui/page.js';
import { Pager, usePage } from '../../ui/pager.js';
import { Empty, Loaded, ListSkeleton } from '../../ui/states.js';
import { boardKeys, BOARDS_A_PAGE, boardsQuery, type BoardSummary } from './boards.queries.js';
import classes from './boards.module.css';

/** Figures that are looked at again and again, side by side. */
export function BoardsPage(): ReactNode {
  const [page, setPage] = usePage();
  const query = useQuery(boardsQuery(page));
  const total = query.data?.total;
  return (
    <Page
      title={t`Boards`}
      subtitle={
        total === undefined
          ? '\u00a0'
          : plural(total, { one: '# board of your company', other: '# boards of your company' })
      }
      actions={<NewBoard />}
    >
      <Loaded query={query} skeleton={<ListSkeleton h={64} />}>
        {({ boards }) => (boards.length === 0 ? <NoneYet /> : <BoardList boards={boards} />)}
      </Loaded>
      <Pager page={page} total={total ?? 0} size={BOARDS_A_PAGE} onChange={setPage} />
    </Page>
  );
}

function NoneYet(): ReactNode {
  return (
    <Empty icon={IconLayoutDashboard} title={t`No boards yet`} action={<NewBoard />}>
      {t`A board shows figures side by side and keeps them up to date. Pin answers of the assistant to it.`}
    </Empty>
  );
}

function BoardList({ boards }: { readonly boards: readonly BoardSummary[] }): ReactNode {
  return (
    <ul className="card lines" aria-label={t`Boards`}>
      {boards.map((board) => (
        <Line key={board.id} board={board} />
      ))}
    </ul>
  );
}

function Line({ board }: { readonly board: BoardSummary }): ReactNode {
  const { id, title, notes, tile_count: tiles, created_by: by, updated_at: at } = board;
  return (
    <li>
      <Link to="/boards/$id" params={{ id }} className={`line ${classes.line ?? ''}`}>
        <div className={classes.name}>
          <Text fw={600} truncate>
            {title}
          </Text>
          <Text size="sm" c="dimmed" truncate>
            {notes === '' ? t`by ${by.name}` : notes}
          </Text>
        </div>
        <div className={classes.when}>
          <Text size="sm">{plural(tiles, { one: '# tile', other: '# tiles' })}</Text>
          <Text size="sm" c="dimmed" title={moment(at)}>
            {t`changed ${ago(at)}`}
          </Text>
        </div>
      </Link>
    </li>
  );
}

function NewBoard(): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button leftSection={<IconPlus aria-hidden />} onClick={open}>
        {t`New board`}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t`New board`} centered>
        <NewBoardForm />
      </Modal>
    </>
  );
}

function NewBoardForm(): ReactNode {
  const navigate = useNavigate();
  const [title, setTitle] = useState('');
  const [notes, setNotes] = useState('');
  const create = useChange({
    change: () => call(api.POST('/api/v1/secure/board', { body: { title, notes } })),
    done: ({ board: { id } }) => navigate({ to: '/boards/$id', params: { id } }),
    stale: [boardKeys.lists],
  });
  return (
    <Form
      label={t`New board`}
      saving={create}
      problem={t`The board was not created`}
      action={t`Create the board`}
      disabled={title.trim() === ''}
      onSubmit={create.mutate}
    >
      <TextInput
        label={t`Title`}
        data-autofocus
        required
        withAsterisk={false}
        maxLength={200}
        value={title}
        onChange={typed(setTitle)}
      />
      <Textarea
        label={t`Notes`}
        description={t`What the board is for. Optional.`}
        autosize
        minRows={2}
        maxLength={5000}
        value={notes}
        onChange={typed(setNotes)}
      />
    </Form>
  );
}
