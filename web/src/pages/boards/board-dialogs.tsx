import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Modal, Select, Textarea, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useChange } from '../../shared/use-change.js';
import type { DialogProps } from '../../ui/delete-dialog.js';
import { chosen, Form, typed } from '../../ui/form.js';
import { boardKeys, type Board, type Tile } from './boards.queries.js';

interface OfBoard extends DialogProps {
  readonly boardId: string;
}

interface TextDialogProps extends OfBoard {
  readonly title: string;
  readonly label: string;
  readonly text: string;
  /** Several lines. */
  readonly isLong: boolean;
  readonly save: (text: string) => Promise<unknown>;
}

/** Asks for one text. */
function TextDialog({ boardId, opened, onClose, title, ...form }: TextDialogProps): ReactNode {
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered>
      <TextForm {...form} boardId={boardId} onDone={onClose} />
    </Modal>
  );
}

interface TextFormProps extends Omit<TextDialogProps, 'opened' | 'onClose' | 'title'> {
  readonly onDone: () => void;
}

function TextForm({ boardId, label, text: given, isLong, save, onDone }: TextFormProps): ReactNode {
  const [text, setText] = useState(given);
  const saving = useChange({
    change: () => save(text),
    done: onDone,
    stale: [boardKeys.board(boardId)],
  });
  const field = {
    label,
    'data-autofocus': true,
    value: text,
    onChange: typed(setText),
  };
  return (
    <Form
      label={label}
      saving={saving}
      problem={t`It was not saved`}
      action={t`Save`}
      disabled={text.trim() === ''}
      onSubmit={saving.mutate}
    >
      {isLong ? (
        <Textarea {...field} description="Markdown" autosize minRows={4} maxRows={16} maxLength={5000} />
      ) : (
        <TextInput {...field} maxLength={200} />
      )}
    </Form>
  );
}

export function NoteDialog(props: OfBoard): ReactNode {
  const params = { path: { id: props.boardId } };
  return (
    <TextDialog
      {...props}
      title={t`Add a note`}
      label={t`Note`}
      text=""
      isLong
      save={(text) => call(api.POST('/api/v1/secure/board/{id}/tile', { params, body: { text } }))}
    />
  );
}

export function TileDialog({ tile, ...props }: OfBoard & { readonly tile: Tile }): ReactNode {
  const isNote = tile.kind === 'note';
  const params = { path: { id: props.boardId, tile: tile.id } };
  return (
    <TextDialog
      {...props}
      title={isNote ? t`Change the note` : t`Change the title`}
      label={isNote ? t`Note` : t`Title`}
      text={tile.text ?? tile.title ?? ''}
      isLong={isNote}
      save={(text) => {
        const body = isNote ? { text } : { title: text };
        return call(api.PATCH('/api/v1/secure/board/{id}/tile/{tile}', { params, body }));
      }}
    />
  );
}

const NEVER = '0';
const REFRESHES = [
  { value: NEVER, label: msg`When it is opened` },
  { value: '1', label: msg`Every minute` },
  { value: '5', label: msg`Every 5 minutes` },
  { value: '15', label: msg`Every 15 minutes` },
  { value: '60', label: msg`Every hour` },
] as const;

export function BoardDialog({ board, opened, onClose }: DialogProps & { readonly board: Board }): ReactNode {
  return (
    <Modal opened={opened} onClose={onClose} title={t`Title, notes and refreshing`} centered>
      <BoardForm board={board} onDone={onClose} />
    </Modal>
  );
}

function BoardForm({ board, onDone }: { readonly board: Board; readonly onDone: () => void }): ReactNode {
  const [title, setTitle] = useState(board.title);
  const [notes, setNotes] = useState(board.notes);
  const [minutes, setMinutes] = useState(String(board.refresh_minutes ?? NEVER));
  const known = REFRESHES.some(({ value }) => value === minutes);
  const saving = useChange({
    change: () => {
      const body = { title, notes, refresh_minutes: minutes === NEVER ? null : Number(minutes) };
      return call(api.PATCH('/api/v1/secure/board/{id}', { params: { path: { id: board.id } }, body }));
    },
    done: onDone,
    stale: [boardKeys.board(board.id), boardKeys.lists],
  });
  return (
    <Form
      label={t`Title, notes and refreshing`}
      saving={saving}
      problem={t`The board was not changed`}
      action={t`Save`}
      disabled={title.trim() === ''}
      onSubmit={saving.mutate}
    >
      <TextInput label={t`Title`} data-autofocus maxLength={200} value={title} onChange={typed(setTitle)} />
      <Textarea label={t`Notes`} autosize minRows={2} maxLength={5000} value={notes} onChange={typed(setNotes)} />
      <Select
        label={t`Refresh the figures`}
        description={t`While the board is open`}
        data={[
          ...REFRESHES.map(({ value, label }) => ({ value, label: i18n._(label) })),
          ...(known ? [] : [{ value: minutes, label: t`Every ${minutes} minutes` }]),
        ]}
        value={minutes}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        onChange={chosen(setMinutes)}
      />
    </Form>
  );
}
