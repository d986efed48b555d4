import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Modal, MultiSelect, Text, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { datasourceListQuery } from '../../shared/queries.js';
import { useChange } from '../../shared/use-change.js';
import { Form, typed } from '../../ui/form.js';
import { IconPlus } from '../../ui/icons.js';
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
        <Tooltip label={t`New conversation`}>
          <ActionIcon size="lg" aria-label={t`New conversation`} onClick={open}>
            <IconPlus size={18} stroke={1.8} />
          </ActionIcon>
        </Tooltip>
      ) : (
        <Button leftSection={<IconPlus />} onClick={open}>
          {t`New conversation`}
        </Button>
      )}
      <Modal opened={opened} onClose={close} title={t`New conversation`} centered>
        <Beginning about={about ?? null} onClose={close} />
      </Modal>
    </>
  );
}

const LOOK_AFTER_MS = 200;
const MOST_TOGETHER = 5;

function Beginning({ about, onClose }: { readonly about: Subject | null; readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const [subjects, setSubjects] = useState<readonly Subject[]>(about === null ? [] : [about]);
  const [title, setTitle] = useState('');
  const [search, setSearch] = useState('');
  const [looked] = useDebouncedValue(search, LOOK_AFTER_MS);
  const found = useQuery(datasourceListQuery(looked.trim(), 0));
  const options = unique([...subjects, ...(found.data?.datasources ?? [])]);
  const [first] = subjects;
  const begin = useChange({
    change: ({ name }: Subject) => {
      const ids = subjects.map(({ id }) => id);
      const body = { datasource_ids: ids, title: title.trim() === '' ? unnamed(name) : title.trim() };
      return call(api.POST('/api/v1/secure/assistant/conversation', { body }));
    },
    done: ({ id }) => {
      onClose();
      return navigate({ to: '/assistant/$id', params: { id } });
    },
    stale: [assistantKeys.conversations],
  });
  return (
    <Form
      saving={begin}
      problem={t`The conversation was not started`}
      action={t`Start`}
      disabled={first === undefined}
      onSubmit={() => {
        if (first !== undefined) begin.mutate(first);
      }}
      onCancel={onClose}
    >
      <MultiSelect
        label={t`Datasources`}
        description={t`What the questions are about, up to five`}
        placeholder={first === undefined ? t`Search by name` : ''}
        maxValues={MOST_TOGETHER}
        hidePickedOptions
        searchable
        required
        data-autofocus
        searchValue={search}
        onSearchChange={setSearch}
        nothingFoundMessage={noneWords(found.isFetching, options.length > subjects.length)}
        data={options.map(({ id, name }) => ({ value: id, label: name }))}
        filter={({ options: all }) => all}
        value={subjects.map(({ id }) => id)}
        onChange={(ids) => {
          setSubjects(ids.flatMap((id) => options.find((one) => one.id === id) ?? []));
          setSearch('');
        }}
      />
      {first !== undefined && subjects.length > 1 && <JoinedAlong id={first.id} />}
      <TextInput label={t`Title`} placeholder={t`optional`} maxLength={200} value={title} onChange={typed(setTitle)} />
    </Form>
  );
}

function JoinedAlong({ id }: { readonly id: string }): ReactNode {
  return (
    <Text size="sm" c="dimmed">
      <Trans>
        Their rows are joined along confirmed{' '}
        <Link to="/datasources/$id" params={{ id }} search={{ tab: 'relations' }}>
          relations
        </Link>
        .
      </Trans>
    </Text>
  );
}

/** Nothing is said where all that there are were chosen. */
function noneWords(isLooking: boolean, isLeft: boolean): string | undefined {
  if (isLooking) return t`Searching…`;
  return isLeft ? t`No datasource by that name.` : undefined;
}

function unique(subjects: readonly Subject[]): readonly Subject[] {
  return [...new Map(subjects.map((subject) => [subject.id, subject])).values()];
}
