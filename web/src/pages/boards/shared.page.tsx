import { plural, t } from '@lingui/core/macro';
import { Alert, Skeleton, Text, Title } from '@mantine/core';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { createQueryClient } from '../../app/query-client.js';
import { date, moment } from '../../shared/format.js';
import { problemOf } from '../../shared/toast.js';
import type { Wire } from '../../shared/wire.js';
import { usePageTitle } from '../../ui/page.js';
import { ChartPlace } from '../assistant/answer.js';
import { Markdown } from '../assistant/markdown.js';
import { RowsTable } from '../assistant/result-table.js';
import { BoardGrid } from './board-grid.js';
import type { Figure, Tile } from './boards.queries.js';
import { Figures } from './tile.js';
import { filterWords, rangeWords } from './view-bar.js';
import classes from './boards.module.css';

/** What a link shows, to whoever has it: signed in as nobody. */
export default function SharedPage(): ReactNode {
  const [queries] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queries}>
      <main className={classes.shared}>
        <Look token={window.location.hash.slice(1)} />
      </main>
    </QueryClientProvider>
  );
}

function Look({ token }: { readonly token: string }): ReactNode {
  const { data, error } = useQuery({
    queryKey: ['shared', token],
    queryFn: ({ signal }) => call(api.POST('/api/v1/shared/look', { body: { token }, signal })),
    staleTime: Infinity,
  });
  if (error !== null)
    return (
      <>
        <Title order={1}>{t`Shared page`}</Title>
        <Alert color="yellow" role="alert" mt="md">
          {problemOf(error)}
        </Alert>
      </>
    );
  if (data === undefined) return <Skeleton h={400} aria-busy />;
  return <SharedThing shared={data} token={token} />;
}

interface SharedThingProps {
  readonly shared: Wire['SharedResponse'];
  readonly token: string;
}

function SharedThing({ shared, token }: SharedThingProps): ReactNode {
  const { board, answer, expires_at: end } = shared;
  usePageTitle(board?.title ?? answer?.question ?? '');
  return (
    <>
      {board !== null && <SharedBoard board={board} token={token} />}
      {answer !== null && <SharedAnswer answer={answer} />}
      <Text size="xs" c="dimmed" mt="lg">
        {t`Shared with Data Analytics. This link works until ${date(end)}.`}
      </Text>
    </>
  );
}

interface SharedBoardProps {
  readonly board: Wire['SharedBoardView'];
  readonly token: string;
}

function SharedBoard({ board, token }: SharedBoardProps): ReactNode {
  const { title, notes, range, filters, tiles, refresh_minutes: refreshMinutes } = board;
  const query = (tile: Tile) => ({
    queryKey: ['shared', token, tile.id] as const,
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<Figure> =>
      (await call(api.POST('/api/v1/shared/figure', { body: { token, tile_id: tile.id }, signal }))).figure,
  });
  const view = [...(range === null ? [] : [rangeWords(range)]), ...filters.map(filterWords)];
  return (
    <>
      <Title order={1}>{title}</Title>
      {notes !== '' && <Text c="dimmed">{notes}</Text>}
      {view.length > 0 && <Text size="sm">{view.join(' · ')}</Text>}
      <div className={classes.below}>
        <Figures value={{ query, isOtherView: false, refreshMinutes }}>
          <BoardGrid tiles={tiles} />
        </Figures>
      </div>
    </>
  );
}

/** Lines of a table in words that are no rows. */
const RULED = 2;

function SharedAnswer({ answer }: { readonly answer: Wire['SharedAnswerView'] }): ReactNode {
  const { question, response, chart, data, rows_returned: all, at } = answer;
  const told = response.split('\n').filter((line) => line.startsWith('|')).length - RULED;
  const table = data !== null && data.rows.length > Math.max(1, told) ? data : null;
  return (
    <>
      <Title order={1}>{question}</Title>
      <Text size="sm" c="dimmed">
        {t`Answered ${moment(at)}`}
      </Text>
      <article className={`card ${classes.answer ?? ''}`}>
        <Markdown text={response} />
        {chart !== null && <ChartPlace chart={chart} label={t`Chart: ${question}`} />}
        {table !== null && <RowsTable {...table} />}
        {table !== null && all > table.rows.length && (
          <Text size="sm" c="dimmed">
            {plural(table.rows.length, {
              one: 'The first row; there are more.',
              other: 'The first # rows; there are more.',
            })}
          </Text>
        )}
      </article>
    </>
  );
}
