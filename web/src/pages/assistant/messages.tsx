import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Spoiler, Text } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { memo, useContext, useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { moment } from '../../shared/format.js';
import { IconArrowDown, IconPencil } from '../../ui/icons.js';
import { Failure } from '../../ui/states.js';
import { AnswerCard } from './answer.js';
import type { Message } from './assistant.queries.js';
import { LiveCard } from './live-card.js';
import { Markdown } from './markdown.js';
import { AskAgain } from './understood.js';
import type { LiveAnswer } from './use-live-answer.js';
import { SENT, useReadingPlace } from './use-reading-place.js';
import classes from './assistant.module.css';

/** A question that is not among the messages yet. */
interface SentQuestion {
  readonly _id: typeof SENT;
  readonly sent: string;
}

interface MessagesProps {
  readonly history: UseInfiniteQueryResult;
  readonly messages: readonly Message[];
  /** What was asked a moment ago; null when it stands among the messages. */
  readonly sent: string | null;
  readonly live: LiveAnswer | null;
  /** How often the reader has asked: what they ask is brought to the top. */
  readonly asked: number;
  /** Stands below the last message. */
  readonly children: ReactNode;
}

/** What was said, oldest first. Older messages come when the reader reaches the top, and nothing jumps then. */
export function Messages({ history, messages, sent, live, asked, children }: MessagesProps): ReactNode {
  const question: readonly SentQuestion[] = sent === null ? [] : [{ _id: SENT, sent }];
  const shown = [...messages, ...question, ...(live === null ? [] : [live])];
  const { place, content, room, isEndSeen, toEnd } = useReadingPlace(
    sent === null ? messages.findLast(({ role }) => role === 'user')?._id : SENT,
    asked,
  );
  return (
    <div className={classes.reading}>
      <div ref={place} className={classes.messages} role="log" aria-label={t`Messages`} tabIndex={0}>
        <div ref={content} className={classes.flow}>
          <Before history={history} within={place} />
          {/* One list: an answer stays the same element when it is stored, with what the reader has unfolded in it. */}
          {shown.map((message, index) => (
            <MessageCard key={message._id} message={message} question={questionBefore(shown[index - 1])} />
          ))}
          {children}
        </div>
        <div ref={room} aria-hidden />
      </div>
      {!isEndSeen && (
        <Button
          size="compact-sm"
          variant="default"
          radius="xl"
          className={classes.newest}
          leftSection={<IconArrowDown size={14} aria-hidden />}
          onClick={toEnd}
        >
          {t`Newest`}
        </Button>
      )}
    </div>
  );
}

function questionBefore(message: Message | SentQuestion | LiveAnswer | undefined): string | null {
  if (message === undefined) return null;
  if ('sent' in message) return message.sent;
  return 'role' in message && message.role === 'user' ? message.message : null;
}

interface BeforeProps {
  readonly history: UseInfiniteQueryResult;
  readonly within: RefObject<HTMLDivElement | null>;
}

/** What stands above the first message that is loaded. */
function Before({ history, within }: BeforeProps): ReactNode {
  if (history.error !== null) return <Failure error={history.error} onRetry={() => void history.refetch()} />;
  return history.hasNextPage ? <Older history={history} within={within} /> : null;
}

interface MessageCardProps {
  readonly message: Message | SentQuestion | LiveAnswer;
  /** What it answers. */
  readonly question: string | null;
}

/** Drawn anew only when it has changed itself: a conversation is drawn with each letter that is typed and each word that comes. */
const MessageCard = memo(function MessageCard({ message, question }: MessageCardProps): ReactNode {
  const { _id: id } = message;
  if ('sent' in message) return <Question id={id} text={message.sent} />;
  if (!('role' in message)) return <AnswerArticle id={id}>{liveContent(message, question)}</AnswerArticle>;
  const { role, message: text, response, created_at: at } = message;
  if (role === 'user') return <Question id={id} text={text} title={moment(at)} />;
  return (
    <AnswerArticle id={id} title={moment(at)}>
      {response === undefined ? (
        <Markdown text={text} />
      ) : (
        <AnswerCard answer={response} messageId={id} question={question} />
      )}
    </AnswerArticle>
  );
});

interface QuestionProps {
  readonly id: string;
  readonly text: string;
  readonly title?: string;
}

/** Ten lines. */
const FOLDED_HEIGHT = 248;

function Question({ id, text, title }: QuestionProps): ReactNode {
  const asking = useContext(AskAgain);
  return (
    <article id={id} className={classes.question} data-question aria-label={t`Question`} title={title}>
      <Spoiler maxHeight={FOLDED_HEIGHT} showLabel={t`Show all`} hideLabel={t`Show less`}>
        <Text className={classes.asked}>{text}</Text>
      </Spoiler>
      {asking !== null && (
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          aria-label={t`Edit the question`}
          className={classes.edit}
          onClick={() => {
            asking.edit(text);
          }}
        >
          <IconPencil size={14} />
        </ActionIcon>
      )}
    </article>
  );
}

function liveContent(live: LiveAnswer, question: string | null): ReactNode {
  return live.end !== null && 'response' in live.end ? (
    <AnswerCard answer={live.end.response} messageId={live._id} question={question} />
  ) : (
    <LiveCard live={live} end={live.end} />
  );
}

interface AnswerArticleProps {
  readonly id: string;
  readonly title?: string;
  readonly children: ReactNode;
}

function AnswerArticle({ id, title, children }: AnswerArticleProps): ReactNode {
  return (
    <article id={id} className={`card ${classes.answer ?? ''}`} aria-label={t`Answer`} title={title}>
      {children}
    </article>
  );
}

function Older({
  history,
  within,
}: {
  readonly history: UseInfiniteQueryResult;
  readonly within: RefObject<HTMLDivElement | null>;
}): ReactNode {
  const mark = useRef<HTMLDivElement>(null);
  const { fetchNextPage, isFetchingNextPage } = history;
  useEffect(() => {
    if (mark.current === null) return;
    const seen = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true && !isFetchingNextPage) void fetchNextPage();
      },
      { root: within.current, rootMargin: '200px' },
    );
    seen.observe(mark.current);
    return () => {
      seen.disconnect();
    };
  }, [fetchNextPage, isFetchingNextPage, within]);
  return (
    <div ref={mark} className={classes.older}>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        loading={isFetchingNextPage}
        onClick={() => void fetchNextPage()}
      >
        {t`Earlier messages`}
      </Button>
    </div>
  );
}
