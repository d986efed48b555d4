import { ActionIcon, Button, Group, Modal, Select, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { datasourceListQuery } from '../../shared/queries.js';
import { Failure } from '../../ui/states.js';
import { assistantKeys, unnamed } from './assistant.queries.js';

interface Subject {
  readonly id: string;
  readonly name: string;
}

/** Begins a conversation; on a datasource that is chosen now, or the one that is given. */
export function NewConversationButton({
  isSmall = false,
  about,
}: {
  readonly isSmall?: boolean;
  readonly about?: Subject;
}): ReactNode {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      {isSmall ? (
        <Tooltip label="New conversation">
          <ActionIcon size="lg" aria-label="New conversation" onClick={open}>
            <IconPlus size={18} stroke={1.8} />
          </ActionIcon>
        </Tooltip>
      ) : (
        <Button leftSection={<IconPlus size={16} />} onClick={open}>
          New conversation
        </Button>
      )}
      <Modal opened={opened} onClose={close} title="New conversation" centered>
        <Form about={about ?? null} onClose={close} />
      </Modal>
    </>
  );
}

const LOOK_AFTER_MS = 200;

function Form({ about, onClose }: { readonly about: Subject | null; readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [subject, setSubject] = useState(about);
  const [title, setTitle] = useState('');
  const [search, setSearch] = useState('');
  const [looked] = useDebouncedValue(search, LOOK_AFTER_MS);
  const found = useQuery(datasourceListQuery(looked === subject?.name ? '' : looked.trim(), 0));
  const options = [...(subject === null ? [] : [subject]), ...(found.data?.datasources ?? [])];
  const begin = useMutation({
    mutationFn: ({ id, name }: Subject) => {
      const body = { datasource_id: id, title: title.trim() === '' ? unnamed(name) : title.trim() };
      return call(api.POST('/api/v1/secure/assistant/conversation', { body }));
    },
    onSuccess: async ({ id }) => {
      void queries.invalidateQueries({ queryKey: assistantKeys.conversations });
      onClose();
      await navigate({ to: '/assistant/$id', params: { id } });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (subject !== null) begin.mutate(subject);
      }}
    >
      <Stack gap="md">
        <Select
          label="Datasource"
          description="What the questions are about"
          placeholder="Search by name"
          searchable
          required
          data-autofocus
          searchValue={search}
          onSearchChange={setSearch}
          nothingFoundMessage={found.isFetching ? 'Looking…' : <NoneFound />}
          data={unique(options).map(({ id, name }) => ({ value: id, label: name }))}
          filter={({ options: all }) => all}
          value={subject?.id ?? null}
          onChange={(id) => {
            setSubject(options.find((one) => one.id === id) ?? null);
          }}
        />
        <TextInput
          label="Title"
          placeholder="Can be left empty"
          maxLength={200}
          value={title}
          onChange={({ currentTarget }) => {
            setTitle(currentTarget.value);
          }}
        />
        {begin.error !== null && <Failure error={begin.error} title="It was not begun" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={begin.isPending} disabled={subject === null}>
            Begin
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function NoneFound(): ReactNode {
  return (
    <Text size="sm">
      No datasource by that name. <Link to="/datasources/new">Upload one</Link>
    </Text>
  );
}

function unique(subjects: readonly Subject[]): readonly Subject[] {
  return [...new Map(subjects.map((subject) => [subject.id, subject])).values()];
}
