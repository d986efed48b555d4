import { Button, Text } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react';
import { moment } from '../../shared/format.js';
import { Failure } from '../../ui/states.js';
import { AnswerCard } from './answer.js';
import type { Message } from './assistant.queries.js';
import { LiveCard } from './live-card.js';
import { Markdown } from './markdown.js';
import type { LiveAnswer } from './use-live-answer.js';
import classes from './assistant.module.css';

interface MessagesProps {
  readonly history: UseInfiniteQueryResult;
  readonly messages: readonly Message[];
  readonly live: LiveAnswer | null;
  /** How often the reader has asked: what they ask is at the end, and is shown. */
  readonly asked: number;
  /** Stands below the last message. */
  readonly children: ReactNode;
}

/** What was said, oldest first. Older messages come when the reader reaches the top, and nothing jumps then. */
export function Messages({ history, messages, live, asked, children }: MessagesProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  useStayAtEnd(place, endOf(messages, live));
  useEffect(() => {
    if (asked > 0) place.current?.scrollTo({ top: place.current.scrollHeight });
  }, [asked]);
  useKeepPlace(place, messages[0]?._id);
  return (
    <div ref={place} className={classes.messages} role="log" aria-label="Messages" tabIndex={0}>
      <Before history={history} within={place} />
      {/* One list: an answer stays the same element when it is stored, with what the reader has unfolded in it. */}
      {[...messages, ...(live === null ? [] : [live])].map((message) => (
        <MessageCard key={message._id} message={message} />
      ))}
      {children}
    </div>
  );
}

/** Another text whenever something comes at the end. */
function endOf(messages: readonly Message[], live: LiveAnswer | null): string {
  const last = messages.at(-1)?._id ?? '';
  return live === null ? last : `${last} ${String(live.text.length)} ${String(live.steps.length)}`;
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

function MessageCard({ message }: { readonly message: Message | LiveAnswer }): ReactNode {
  if (!('role' in message)) return <AnswerArticle>{liveContent(message)}</AnswerArticle>;
  const { role, message: text, response, created_at: at } = message;
  if (role === 'user')
    return (
      <article className={classes.question} aria-label="Question" title={moment(at)}>
        <Text className={classes.asked}>{text}</Text>
      </article>
    );
  return (
    <AnswerArticle title={moment(at)}>
      {response === undefined ? <Markdown text={text} /> : <AnswerCard answer={response} />}
    </AnswerArticle>
  );
}

function liveContent(live: LiveAnswer): ReactNode {
  return live.end !== null && 'response' in live.end ? (
    <AnswerCard answer={live.end.response} />
  ) : (
    <LiveCard live={live} end={live.end} />
  );
}

function AnswerArticle({ title, children }: { readonly title?: string; readonly children: ReactNode }): ReactNode {
  return (
    <article className={`card ${classes.answer ?? ''}`} aria-label="Answer" title={title}>
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
        Earlier messages
      </Button>
    </div>
  );
}

const NEAR_END = 160;

/** Follows what is written, unless the reader has scrolled up to read. */
function useStayAtEnd(place: RefObject<HTMLDivElement | null>, changes: string): void {
  const isAtEnd = useRef(true);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const look = (): void => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END;
    };
    const grown = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight;
    });
    element.addEventListener('scroll', look, { passive: true });
    // Suggestions and what else comes below the messages comes later.
    const observeAll = (): void => {
      for (const child of element.children) grown.observe(child);
    };
    const joined = new MutationObserver(observeAll);
    joined.observe(element, { childList: true });
    observeAll();
    if (isAtEnd.current) element.scrollTop = element.scrollHeight;
    return () => {
      element.removeEventListener('scroll', look);
      grown.disconnect();
      joined.disconnect();
    };
  }, [place, changes]);
}

/** When messages are put before the first one, what is read stays where it is. */
function useKeepPlace(place: RefObject<HTMLDivElement | null>, first: string | undefined): void {
  const before = useRef<{ readonly first: string | undefined; readonly height: number }>({ first, height: 0 });
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    const { first: was, height } = before.current;
    if (was !== undefined && was !== first) element.scrollTop += element.scrollHeight - height;
    before.current = { first, height: element.scrollHeight };
  });
}
