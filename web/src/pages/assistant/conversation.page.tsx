import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Group, ScrollArea, Skeleton, Stack, Switch, Text, Title } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Fragment, useCallback, useMemo, useRef, useState, type ContextType, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useChange } from '../../shared/use-change.js';
import { IconArrowLeft, IconMessageOff } from '../../ui/icons.js';
import { isMissing } from '../../ui/not-found.js';
import { usePageTitle } from '../../ui/page.js';
import { Empty, Failure, Loaded } from '../../ui/states.js';
import {
  assistantKeys,
  conversationQuery,
  historyQuery,
  unnamed,
  type Conversation,
  type Message,
} from './assistant.queries.js';
import { Composer } from './composer.js';
import { ConversationMenu } from './conversation-menu.js';
import { Hints } from './hints.js';
import { Messages } from './messages.js';
import { Suggestions } from './suggestions.js';
import { AskAgain } from './understood.js';
import { useAsking, type Asked } from './use-asking.js';
import { AssistantFrame } from './assistant-frame.js';
import classes from './assistant.module.css';

/** One conversation: what was said, what is being said, and the place for the next question. */
export function ConversationPage(): ReactNode {
  const { id } = useParams({ from: '/assistant/$id' });
  return (
    <AssistantFrame selected={id}>
      {/* The key: a draft belongs to its conversation. */}
      <Opened key={id} id={id} />
    </AssistantFrame>
  );
}

function Opened({ id }: { readonly id: string }): ReactNode {
  const query = useQuery(conversationQuery(id));
  if (isMissing(query.error)) return <Gone />;
  return (
    <Loaded query={query} skeleton={<ConversationSkeleton />}>
      {(conversation) => <Talk conversation={conversation} />}
    </Loaded>
  );
}

function Talk({ conversation }: { readonly conversation: Conversation }): ReactNode {
  const { _id: id, title, datasource_id: datasourceId, datasources } = conversation;
  usePageTitle(title);
  const history = useInfiniteQuery(historyQuery(id));
  const messages = [...(history.data?.pages ?? [])].reverse().flatMap((page) => page.history);
  const { live, ask, isAsking, askError, stop } = useAsking(id, messages);
  const field = useRef<HTMLTextAreaElement>(null);
  // What is typed stays when the reader goes elsewhere and comes back, or loads the page anew.
  const [draft, setDraft] = useSessionStorage({ key: `draft ${id}`, defaultValue: '', getInitialValueInEffect: false });
  const [asked, setAsked] = useState(0);
  const [sent, setSent] = useSent(messages);
  const nameAfter = useNaming(conversation);
  const isBusy = isAsking || live?.end === null;
  const begin = useCallback(
    (question: Asked): Promise<unknown> => {
      setAsked((times) => times + 1);
      return ask(question);
    },
    [ask],
  );
  const say = (message: string): void => {
    setSent(message);
    if (history.isSuccess && messages.length === 0) nameAfter(message);
    begin({ message }).catch(() => {
      setSent(null);
      // What was typed comes back when it could not be sent.
      setDraft((typed) => (typed === '' ? message : typed));
    });
  };
  // The same while somebody types: every answer hangs on it.
  const again = useMemo(
    (): ContextType<typeof AskAgain> => ({
      datasourceId,
      datasourceIds: datasources.map((one) => one.id),
      isBusy,
      ask: (changed) => {
        // That it could not be sent is told below.
        begin(changed).catch(() => undefined);
      },
      edit: (question) => {
        setDraft(question);
        field.current?.focus();
      },
    }),
    [datasourceId, datasources, isBusy, begin, setDraft],
  );
  return (
    <section className={classes.talk} aria-label={title}>
      <Head conversation={conversation} />
      <AskAgain value={again}>
        <Messages history={history} messages={messages} sent={sent} live={live} asked={asked}>
          {history.isSuccess && !isBusy && (
            <NextQuestions conversation={conversation} messages={messages} onPick={say} />
          )}
        </Messages>
      </AskAgain>
      {askError !== null && <Failure error={askError} title={t`The question was not sent`} />}
      <Hints />
      <Composer
        draft={draft}
        onChange={setDraft}
        isBusy={isBusy}
        field={field}
        onSend={(message) => {
          setDraft('');
          say(message);
        }}
        onStop={stop}
      />
    </section>
  );
}

/** The question that was sent, until it stands among the messages. */
function useSent(messages: readonly Message[]): readonly [string | null, (message: string | null) => void] {
  const last = messages.findLast(({ role }) => role === 'user')?._id;
  const [sent, setSent] = useState<{ readonly message: string | null; readonly after: string | undefined }>();
  const isWaiting = sent !== undefined && sent.after === last;
  return [
    isWaiting ? sent.message : null,
    (message) => {
      setSent({ message, after: last });
    },
  ];
}

const LONGEST_TITLE = 80;

/** Names a conversation after its first question, unless somebody has named it. */
function useNaming({ _id: id, title, datasource_name: name }: Conversation): (question: string) => void {
  const naming = useChange({
    change: (question: string) => {
      const short = question.replaceAll(/\s+/g, ' ').slice(0, LONGEST_TITLE);
      return call(api.PUT('/api/v1/secure/assistant/conversation', { body: { id, title: short } }));
    },
    stale: [assistantKeys.conversation(id), assistantKeys.conversations],
  });
  return (question) => {
    if (title === unnamed(name)) naming.mutate(question);
  };
}

interface NextProps {
  readonly conversation: Conversation;
  /** So far. */
  readonly messages: readonly Message[];
  readonly onPick: (question: string) => void;
}

function NextQuestions({ conversation, messages, onPick }: NextProps): ReactNode {
  const turns = messages.length;
  const named = conversation.datasources.map(({ name }) => name).join(', ');
  const asked = messages.flatMap(({ role, message, response }) =>
    role === 'user' ? [message] : response === undefined ? [] : [response.query],
  );
  return (
    <>
      {turns === 0 && <Text c="dimmed">{t`Ask about ${named} in your own words.`}</Text>}
      <Suggestions conversationId={conversation._id} turns={turns} asked={asked} onPick={onPick} />
    </>
  );
}

function Head({ conversation }: { readonly conversation: Conversation }): ReactNode {
  const { title, datasources } = conversation;
  return (
    <header className={classes.head}>
      <ActionIcon
        component={Link}
        to="/assistant"
        hiddenFrom="md"
        variant="subtle"
        color="gray"
        aria-label={t`All conversations`}
      >
        <IconArrowLeft size={18} />
      </ActionIcon>
      <div className={classes.titles}>
        <Title order={1} size="h2" className={classes.title}>
          {title}
        </Title>
        <Text size="sm" c="dimmed" truncate>
          {t`about`}{' '}
          {datasources.map(({ id, name }, place) => (
            <Fragment key={id}>
              {place > 0 && ', '}
              <Link to="/datasources/$id" params={{ id }}>
                {name}
              </Link>
            </Fragment>
          ))}
        </Text>
      </div>
      <Group gap="sm" wrap="nowrap">
        <ContextOnly conversation={conversation} />
        <ConversationMenu conversation={conversation} />
      </Group>
    </header>
  );
}

function ContextOnly({
  conversation: { _id: id, context_only: isOn },
}: {
  readonly conversation: Conversation;
}): ReactNode {
  const change = useChange({
    change: (contextOnly: boolean) =>
      call(api.PUT('/api/v1/secure/assistant/conversation', { body: { id, context_only: contextOnly } })),
    stale: [assistantKeys.conversation(id)],
    problem: t`The conversation was not changed`,
  });
  return (
    <Switch
      size="xs"
      label={t`Files only`}
      title={t`Answer from the context files only`}
      checked={change.isPending ? change.variables : isOn}
      onChange={({ currentTarget }) => {
        change.mutate(currentTarget.checked);
      }}
    />
  );
}

function Gone(): ReactNode {
  return (
    <Empty
      icon={IconMessageOff}
      title={t`Conversation not found`}
      action={
        <Button component={Link} to="/assistant" variant="default">
          {t`All conversations`}
        </Button>
      }
    >
      {t`It was deleted, or it belongs to someone else.`}
    </Empty>
  );
}

function ConversationSkeleton(): ReactNode {
  return (
    <ScrollArea>
      <Stack gap="lg" p="md">
        <Skeleton h={28} w="40%" />
        <Skeleton h={48} w="60%" ml="auto" />
        <Skeleton h={160} />
      </Stack>
    </ScrollArea>
  );
}
