import { t } from '@lingui/core/macro';
import { ActionIcon, Anchor, Button, Group, Popover, Stack, Text, Textarea, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { api, call } from '../../../../app/client.js';
import { rowTime } from '../../../../shared/format.js';
import { keys } from '../../../../shared/keys.js';
import { failed } from '../../../../shared/toast.js';
import { useChange } from '../../../../shared/use-change.js';
import type { Wire } from '../../../../shared/wire.js';
import { typed } from '../../../../ui/form.js';
import { IconMessagePlus, IconTrash } from '../../../../ui/icons.js';
import { Failure } from '../../../../ui/states.js';
import type { Range } from '../ranges.js';

type Note = Wire['AnnotationView'];

export function notesQuery(id: string) {
  return queryOptions({
    queryKey: keys.notes(id),
    queryFn: async ({ signal }) => {
      const query = { params: { query: { id } }, signal };
      return (await call(api.GET('/api/v1/secure/datasource/annotations', query))).annotations;
    },
  });
}

interface AddNoteProps {
  readonly id: string;
  /** What is looked at. */
  readonly range: Range;
}

/** Says something of the range that is looked at, for all of the company. */
export function AddNote({ id, range }: AddNoteProps): ReactNode {
  const [opened, { toggle, close }] = useDisclosure();
  const [text, setText] = useState('');
  const save = useChange({
    change: () =>
      call(
        api.POST('/api/v1/secure/datasource/annotation', { body: { datasource_id: id, ...range, text: text.trim() } }),
      ),
    says: t`Note saved. Everybody in the company can see it.`,
    done: () => {
      setText('');
      close();
    },
    stale: [keys.notes(id)],
  });
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    save.mutate();
  }
  return (
    <Popover opened={opened} onChange={close} trapFocus width={300} position="bottom-start">
      <Popover.Target>
        <Button variant="default" leftSection={<IconMessagePlus />} onClick={toggle}>
          {t`Add note`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack component="form" gap="sm" onSubmit={submit}>
          <Textarea
            label={t`Note`}
            description={rangeWords(range)}
            autosize
            maxLength={500}
            data-autofocus
            value={text}
            onChange={typed(setText)}
          />
          {save.error !== null && <Failure error={save.error} title={t`It was not saved`} />}
          <Button type="submit" disabled={text.trim() === ''} loading={save.isPending}>
            {t`Save`}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function rangeWords({ from, to }: Range): string {
  return from === to ? rowTime(from) : `${rowTime(from)} – ${rowTime(to)}`;
}

interface NotesProps {
  readonly id: string;
  readonly notes: readonly Note[];
  readonly onShow: (range: Range) => void;
}

export function Notes({ id, notes, onShow }: NotesProps): ReactNode {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: (note: string) =>
      call(api.DELETE('/api/v1/secure/datasource/annotation/{id}', { params: { path: { id: note } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.notes(id) }),
    onError: (error) => {
      failed(t`The note was not removed`, error);
    },
  });
  if (notes.length === 0) return null;
  return (
    <Stack component="section" gap="xs" aria-label={t`Notes`}>
      <Title order={2} size="h4">
        {t`Notes`}
      </Title>
      {notes.map((note) => (
        <Group key={note.id} justify="space-between" wrap="nowrap" gap="sm">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <Anchor
              component="button"
              size="sm"
              onClick={() => {
                onShow(note.from === note.to ? around(note.from) : note);
              }}
            >
              {rangeWords(note)}
            </Anchor>
            {`  ${note.text}`}
          </Text>
          {note.removable && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t`Remove the note “${note.text}”`}
              loading={remove.isPending && remove.variables === note.id}
              onClick={() => {
                remove.mutate(note.id);
              }}
            >
              <IconTrash />
            </ActionIcon>
          )}
        </Group>
      ))}
    </Stack>
  );
}

const HOUR = 3_600_000;

function around(moment: string): Range {
  const at = Date.parse(moment);
  return { from: new Date(at - HOUR).toISOString(), to: new Date(at + HOUR).toISOString() };
}
