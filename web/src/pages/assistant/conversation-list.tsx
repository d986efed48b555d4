import { t } from '@lingui/core/macro';
import { Button, Group, NavLink, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { ago } from '../../shared/format.js';
import { typed } from '../../ui/form.js';
import { IconPin, IconSearch } from '../../ui/icons.js';
import { Failure } from '../../ui/states.js';
import { conversationsQuery, type Conversation } from './assistant.queries.js';
import { NewConversationButton } from './new-conversation.js';
import classes from './assistant.module.css';

/** The user's conversations, pinned first. The search looks among those that are loaded. */
export function ConversationList({ selected }: { readonly selected: string | null }): ReactNode {
  const query = useInfiniteQuery(conversationsQuery);
  const [search, setSearch] = useState('');
  const all = query.data?.pages.flatMap(({ conversations }) => conversations) ?? [];
  const found = all.filter((conversation) => fits(conversation, search));
  return (
    <Stack gap="sm" h="100%">
      <Group justify="space-between" wrap="nowrap">
        <Title order={2}>{t`Conversations`}</Title>
        <NewConversationButton isSmall />
      </Group>
      <TextInput
        type="search"
        size="sm"
        aria-label={t`Search conversations`}
        placeholder={t`Search`}
        leftSection={<IconSearch size={15} />}
        value={search}
        onChange={typed(setSearch)}
      />
      {query.error !== null && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <ListSkeleton />}
      {query.isSuccess && found.length === 0 && (
        <Text size="sm" c="dimmed">
          {all.length === 0 ? t`No conversations yet.` : t`No title or datasource has this text.`}
        </Text>
      )}
      <nav aria-label={t`Conversations`} className={classes.conversations}>
        {found.map((conversation) => (
          <Line key={conversation._id} conversation={conversation} isOpen={conversation._id === selected} />
        ))}
        {query.hasNextPage && (
          <Button
            fullWidth
            size="compact-sm"
            variant="subtle"
            color="gray"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t`More`}
          </Button>
        )}
      </nav>
    </Stack>
  );
}

function fits({ title, datasource_name: name }: Conversation, search: string): boolean {
  return `${title} ${name}`.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase());
}

function Line({ conversation, isOpen }: { readonly conversation: Conversation; readonly isOpen: boolean }): ReactNode {
  const { _id: id, title, datasource_name: name, last_message_at: last, created_at: created, pinned } = conversation;
  return (
    <NavLink
      renderRoot={(props) => <Link to="/assistant/$id" params={{ id }} {...props} />}
      active={isOpen}
      aria-current={isOpen ? 'page' : undefined}
      label={title}
      description={`${name} · ${ago(last ?? created)}`}
      rightSection={pinned ? <IconPin size={14} aria-label={t`Pinned`} /> : undefined}
      classNames={{ root: classes.line ?? '', label: classes.cut ?? '', description: classes.cut ?? '' }}
    />
  );
}

const LINES = [1, 2, 3, 4, 5];

function ListSkeleton(): ReactNode {
  return (
    <Stack gap="sm" aria-busy="true">
      {LINES.map((line) => (
        <Skeleton key={line} h={44} />
      ))}
    </Stack>
  );
}
