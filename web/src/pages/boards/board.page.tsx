import { plural, t } from '@lingui/core/macro';
import { ActionIcon, Button, Menu, Skeleton } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useIsFetching, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useIsManager, useUser } from '../../app/session.js';
import { usePrint } from '../../app/use-print.js';
import { failed } from '../../shared/toast.js';
import type { Wire } from '../../shared/wire.js';
import { DeleteDialog, type DialogProps } from '../../ui/delete-dialog.js';
import { IconButton } from '../../ui/icon-button.js';
import {
  IconCheck,
  IconDots,
  IconLayoutGrid,
  IconMail,
  IconNote,
  IconPencil,
  IconPin,
  IconPrinter,
  IconRefresh,
  IconShare,
  IconTrash,
} from '../../ui/icons.js';
import { Page } from '../../ui/page.js';
import { isMissing, Missing } from '../../ui/not-found.js';
import { useDeleted } from '../../ui/undo.js';
import { Empty, Loaded } from '../../ui/states.js';
import { BoardDialog, NoteDialog, TileDialog } from './board-dialogs.js';
import { BoardGrid } from './board-grid.js';
import { boardKeys, boardQuery, figureQuery, type Board, type BoardView, type Tile } from './boards.queries.js';
import { MailDialog } from './mail-dialog.js';
import { ShareDialog } from './share-dialog.js';
import { Figures } from './tile.js';
import { TileMenu } from './tile-menu.js';
import { ViewBar } from './view-bar.js';
import classes from './boards.module.css';

const BoardEditor = lazy(() => import('./board-editor.js'));

/** One board, whose figures are read anew when it is opened. */
export function BoardPage(): ReactNode {
  const { id } = useParams({ from: '/boards/$id' });
  const query = useQuery(boardQuery(id));
  if (isMissing(query.error)) return <Missing title={t`This board does not exist`} />;
  return (
    <Loaded query={query} skeleton={<Skeleton h={400} />}>
      {(board) => <OpenBoard key={id} board={board} />}
    </Loaded>
  );
}

/** Changes a board, one change after the other. */
function useChangeBoard(id: string) {
  const queries = useQueryClient();
  return useMutation({
    scope: { id: `board ${id}` },
    mutationFn: (body: Wire['ChangeBoardBody']) =>
      call(api.PATCH('/api/v1/secure/board/{id}', { params: { path: { id } }, body })),
    onSuccess: ({ board }) => {
      queries.setQueryData(boardKeys.board(id), board);
      return queries.invalidateQueries({ queryKey: boardKeys.lists });
    },
    onError: (error) => {
      failed(t`The board was not changed`, error);
      // It may have been deleted meanwhile.
      return queries.invalidateQueries({ queryKey: boardKeys.board(id) });
    },
  });
}

function OpenBoard({ board }: { readonly board: Board }): ReactNode {
  const [opened] = useState(Date.now);
  const [isEdited, setEdited] = useState(false);
  const user = useUser();
  const mayChange = useIsManager() || board.created_by.id === user.id;
  const { title, notes, tiles, refresh_minutes: refreshMinutes } = board;
  const { view: own } = useSearch({ from: '/boards/$id' });
  return (
    <Page
      title={title}
      crumbs={[{ label: t`Boards`, to: '/boards' }]}
      subtitle={notes}
      actions={<Actions board={board} mayChange={mayChange} isEdited={isEdited} onEdit={setEdited} />}
    >
      {tiles.some(({ kind }) => kind === 'figure') && <OwnView board={board} own={own ?? null} mayChange={mayChange} />}
      <Figures
        value={{
          query: figureQuery({ ...board, opened }, own ?? null),
          isOtherView: own !== undefined,
          refreshMinutes,
        }}
      >
        {tiles.length === 0 ? (
          <NoTiles />
        ) : isEdited ? (
          <Edited board={board} />
        ) : (
          <BoardGrid tiles={tiles} toolsOf={(tile) => <TileMenu tile={tile} view={own ?? board} />} />
        )}
      </Figures>
    </Page>
  );
}

interface ActionsProps {
  readonly board: Board;
  readonly mayChange: boolean;
  readonly isEdited: boolean;
  readonly onEdit: (isEdited: boolean) => void;
}

function Actions({ board, mayChange, isEdited, onEdit }: ActionsProps): ReactNode {
  const Icon = isEdited ? IconCheck : IconLayoutGrid;
  return (
    <>
      {!isEdited && <Refresh id={board.id} />}
      {mayChange && (
        <Button
          variant={isEdited ? 'filled' : 'default'}
          leftSection={<Icon aria-hidden />}
          onClick={() => {
            onEdit(!isEdited);
          }}
        >
          {isEdited ? t`Done` : t`Edit`}
        </Button>
      )}
      <BoardMenu board={board} mayChange={mayChange} />
    </>
  );
}

interface OwnViewProps {
  readonly board: Board;
  /** The reader's own, which stands in the address. */
  readonly own: BoardView | null;
  readonly mayChange: boolean;
}

function OwnView({ board, own, mayChange }: OwnViewProps): ReactNode {
  const navigate = useNavigate({ from: '/boards/$id' });
  const change = useChangeBoard(board.id);
  const datasources = new Set(board.tiles.flatMap(({ datasource_id: id }) => id ?? []));
  const show = (view: BoardView | null): void => {
    void navigate({ search: view === null ? {} : { view }, replace: true });
  };
  return (
    <div className={classes.view}>
      <ViewBar view={own ?? board} datasources={[...datasources]} onChange={show} />
      {own !== null && (
        <Button
          variant="subtle"
          onClick={() => {
            show(null);
          }}
        >
          {t`Reset the view`}
        </Button>
      )}
      {own !== null && mayChange && (
        <Button
          variant="light"
          loading={change.isPending}
          onClick={() => {
            const body = { range: own.range, filters: [...own.filters] };
            change.mutate(body, {
              onSuccess: () => {
                show(null);
              },
            });
          }}
        >
          {t`Keep for everyone`}
        </Button>
      )}
    </div>
  );
}

const WIDE = '(min-width:48em)';

/** Tiles are arranged where there is room; on a narrow screen they can be changed and taken away. */
function Edited({ board }: { readonly board: Board }): ReactNode {
  const isWide = useMediaQuery(WIDE, true);
  const change = useChangeBoard(board.id);
  const toolsOf = (tile: Tile): ReactNode => <TileTools boardId={board.id} tile={tile} />;
  if (!isWide) return <BoardGrid tiles={board.tiles} toolsOf={toolsOf} />;
  return (
    <Suspense fallback={<BoardGrid tiles={board.tiles} />}>
      <BoardEditor
        tiles={board.tiles}
        toolsOf={toolsOf}
        onArrange={(layout) => {
          change.mutate({ layout: [...layout] });
        }}
      />
    </Suspense>
  );
}

function TileTools({ boardId, tile }: { readonly boardId: string; readonly tile: Tile }): ReactNode {
  const queries = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure();
  const name = tile.title ?? t`the note`;
  const remove = useMutation({
    mutationFn: () =>
      call(api.DELETE('/api/v1/secure/board/{id}/tile/{tile}', { params: { path: { id: boardId, tile: tile.id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: boardKeys.board(boardId) }),
    onError: (error) => {
      failed(t`The tile was not removed`, error);
      return queries.invalidateQueries({ queryKey: boardKeys.board(boardId) });
    },
  });
  return (
    <>
      <IconButton icon={IconPencil} tip={t`Change`} label={t`Change ${name}`} onClick={open} />
      <IconButton
        icon={IconTrash}
        tip={t`Remove`}
        label={t`Remove ${name}`}
        loading={remove.isPending}
        onClick={remove.mutate}
      />
      <TileDialog boardId={boardId} tile={tile} opened={isOpen} onClose={close} />
    </>
  );
}

type Dialog = 'words' | 'note' | 'mail' | 'share' | 'delete';

function BoardMenu({ board, mayChange }: { readonly board: Board; readonly mayChange: boolean }): ReactNode {
  const [shown, setShown] = useState<Dialog | null>(null);
  const print = usePrint();
  const close = (): void => {
    setShown(null);
  };
  const item = (dialog: Dialog, Icon: typeof IconNote, label: string): ReactNode => (
    <Menu.Item
      leftSection={<Icon aria-hidden />}
      onClick={() => {
        setShown(dialog);
      }}
    >
      {label}
    </Menu.Item>
  );
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t`More`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayChange && item('note', IconNote, t`Add a note`)}
          {mayChange && item('words', IconPencil, t`Title, notes and refreshing`)}
          {mayChange && item('mail', IconMail, t`Send by email`)}
          {mayChange && item('share', IconShare, t`Share by link`)}
          <Menu.Item leftSection={<IconPrinter aria-hidden />} onClick={print}>
            {t`Print or save as PDF`}
          </Menu.Item>
          {mayChange && item('delete', IconTrash, t`Delete`)}
        </Menu.Dropdown>
      </Menu>
      <NoteDialog boardId={board.id} opened={shown === 'note'} onClose={close} />
      <BoardDialog board={board} opened={shown === 'words'} onClose={close} />
      <MailDialog board={board} opened={shown === 'mail'} onClose={close} />
      <ShareDialog shared={{ board_id: board.id }} opened={shown === 'share'} onClose={close} />
      <DeleteBoard board={board} opened={shown === 'delete'} onClose={close} />
    </>
  );
}

function DeleteBoard({ board: { id, title, tiles }, ...dialog }: DialogProps & { readonly board: Board }): ReactNode {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const deleted = useDeleted();
  const remove = useMutation({
    mutationFn: () => call(api.DELETE('/api/v1/secure/board/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      deleted(id, title);
      await navigate({ to: '/boards' });
      queries.removeQueries({ queryKey: boardKeys.board(id) });
      await queries.invalidateQueries({ queryKey: boardKeys.lists });
    },
  });
  return (
    <DeleteDialog
      {...dialog}
      title={t`Delete “${title}”?`}
      consequences={[
        plural(tiles.length, { one: '# tile goes along.', other: '# tiles go along.' }),
        t`Links to the board show nothing, and it is not sent by email.`,
      ]}
      restorable
      deletion={remove}
    />
  );
}

/** Reads all figures anew. */
function Refresh({ id }: { readonly id: string }): ReactNode {
  const queries = useQueryClient();
  const isBusy = useIsFetching({ queryKey: boardKeys.figures(id) }) > 0;
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh aria-hidden />}
      loading={isBusy}
      onClick={() => {
        void queries.invalidateQueries({ queryKey: boardKeys.figures(id) });
      }}
    >
      {t`Refresh`}
    </Button>
  );
}

function NoTiles(): ReactNode {
  return (
    <Empty
      icon={IconPin}
      title={t`Nothing is pinned yet`}
      action={
        <Button component={Link} to="/assistant">
          {t`Ask something`}
        </Button>
      }
    >
      {t`Ask the assistant a question and choose “Pin to board” below its answer.`}
    </Empty>
  );
}
