import { t } from '@lingui/core/macro';
import { Alert, Skeleton, Text, Title } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { createContext, lazy, Suspense, use, type ReactNode } from 'react';
import { ago, figure as number, moment, rowTime, stretch, whole } from '../../shared/format.js';
import { Failure } from '../../ui/states.js';
import { Markdown } from '../assistant/markdown.js';
import { RowsTable } from '../assistant/result-table.js';
import type { Figure, Tile } from './boards.queries.js';
import classes from './boards.module.css';

const AnswerChart = lazy(() => import('../assistant/answer-chart.js'));

interface FigureQuery {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (asked: { readonly signal: AbortSignal }) => Promise<Figure>;
}

interface FigureSource {
  /** How a tile's figure is read. */
  readonly query: (tile: Tile) => FigureQuery;
  /** What was read last is no answer to what is asked now. */
  readonly isOtherView: boolean;
  /** While the board is open; null: figures are read once. */
  readonly refreshMinutes: number | null;
}

/** Where the tiles below get their figures. */
export const Figures = createContext<FigureSource | null>(null);

interface TileCardProps {
  readonly tile: Tile;
  /** What can be done with it, at the right of its title. */
  readonly tools?: ReactNode;
}

/** A note, or a figure with its title. */
export function TileCard({ tile, tools }: TileCardProps): ReactNode {
  if (tile.kind === 'note')
    return (
      <section className={`card ${classes.tile ?? ''}`} aria-label={t`Note`}>
        {tools !== undefined && <div className={classes.noteTools}>{tools}</div>}
        <div className={classes.body} tabIndex={0}>
          <Markdown text={tile.text ?? ''} />
        </div>
      </section>
    );
  return <FigureCard tile={tile} tools={tools} />;
}

/** The figure of a tile as the page has it. */
export function useFigure(tile: Tile): UseQueryResult<Figure> {
  const source = use(Figures);
  if (source === null) throw new Error('a figure outside of a board');
  return useQuery({
    ...source.query(tile),
    ...firstShown(source.isOtherView ? null : tile.figure),
    // Rows that came in are read when the board is opened, by schedule, and when somebody asks for it.
    staleTime: Infinity,
    ...(source.refreshMinutes === null ? {} : { refetchInterval: source.refreshMinutes * 60_000 }),
  });
}

function FigureCard({ tile, tools }: TileCardProps): ReactNode {
  const { data, error, refetch } = useFigure(tile);
  const title = tile.title ?? t`Figure`;
  return (
    <section className={`card ${classes.tile ?? ''}`} aria-label={title}>
      <div className={classes.head}>
        <Title order={2} size="h5" className={classes.title}>
          {title}
        </Title>
        {tools}
      </div>
      <div className={classes.body} tabIndex={0} aria-busy={data === undefined && error === null}>
        {data !== undefined ? (
          <FigureBody figure={data} title={title} />
        ) : error === null ? (
          <Skeleton className={classes.waiting} />
        ) : (
          <Failure error={error} title={t`This figure could not be read`} onRetry={() => void refetch()} />
        )}
      </div>
      {data !== undefined && <Foot figure={data} />}
    </section>
  );
}

/** What was read last is shown at once; it is read anew where rows came in since. */
function firstShown(figure: Figure | null) {
  if (figure === null) return {};
  return figure.is_current ? { initialData: figure } : { placeholderData: figure };
}

function FigureBody({ figure, title }: { readonly figure: Figure; readonly title: string }): ReactNode {
  const { chart, data, problem } = figure;
  if (problem !== null) return <Alert color="yellow">{problem}</Alert>;
  if (chart !== null)
    return (
      <Suspense fallback={<Skeleton className={classes.waiting} />}>
        <AnswerChart chart={chart} label={t`Chart: ${title}`} fills />
      </Suspense>
    );
  if (data === null || data.rows.length === 0) return <Text c="dimmed">{t`No rows match.`}</Text>;
  const [row = []] = data.rows;
  if (data.rows.length === 1 && row.length <= MOST_FIGURES) return <BigFigures columns={data.columns} row={row} />;
  return <RowsTable {...data} />;
}

/** Side by side in large letters. */
const MOST_FIGURES = 3;

type Cell = NonNullable<Figure['data']>['rows'][number][number];

function BigFigures({
  columns,
  row,
}: {
  readonly columns: readonly string[];
  readonly row: readonly Cell[];
}): ReactNode {
  return (
    <dl className={classes.figures}>
      {columns.map((name, index) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="numbers">{cellText(row[index] ?? null)}</dd>
        </div>
      ))}
    </dl>
  );
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

function cellText(cell: Cell): string {
  if (cell === null) return t`none`;
  if (typeof cell === 'number') return number(cell);
  return typeof cell === 'string' && TIME.test(cell) ? rowTime(cell) : String(cell);
}

/** When it was read, and what it does not show. */
function Foot({
  figure: { at, data, rows, chart, unfiltered, shown, warnings },
}: {
  readonly figure: Figure;
}): ReactNode {
  const told = [
    ...(shown?.from == null || shown.to == null ? [] : [stretch(shown.from, shown.to)]),
    ...(chart === null && data !== null && rows > data.rows.length
      ? [t`first ${whole(data.rows.length)} of ${whole(rows)} rows`]
      : []),
    ...warnings,
    ...(unfiltered.length > 0 ? [t`not filtered by ${unfiltered.join(', ')}`] : []),
  ];
  if (at === null) return null;
  return (
    <Text size="xs" c="dimmed" className={classes.foot} title={moment(at)}>
      {[...told, t`as of ${ago(at)}`].join(' · ')}
    </Text>
  );
}
