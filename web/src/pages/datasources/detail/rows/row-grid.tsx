import { t } from '@lingui/core/macro';
import { Skeleton, Text, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type ReactNode } from 'react';
import { exactRowTime, figure, rowTime, whole } from '../../../../shared/format.js';
import { isNumeric } from '../../wizard/columns.js';
import type { RowFilter, RowList, RowOrder } from '../search.js';
import { ColumnMenu, type ListedColumn } from './column-menu.js';
import { PAGE, rowsQuery, type Cell } from './rows.queries.js';
import classes from './rows.module.css';
import { LOCALE } from '../../../../shared/language.js';

const ROW_HEIGHT = 36;
/** What flies by is not asked for. */
const RESTS_MS = 120;
const WIDTHS: Readonly<Record<string, number>> = { number: 130, integer: 130, boolean: 110, time: 190, text: 210 };
const NUMBER_WIDTH = 100;

interface RowGridProps {
  readonly datasourceId: string;
  readonly list: RowList;
  /** Another one is another list. */
  readonly place: string;
  readonly columns: readonly ListedColumn[];
  /** Rows that are before the first one that is shown. */
  readonly before: number;
  /** Rows that are shown. */
  readonly count: number;
  /** Of all parts. */
  readonly total: number;
  /** The row that is to be seen, counted from the first that is shown. */
  readonly target: number;
  readonly onOrder: (order: RowOrder | undefined) => void;
  readonly onCondition: (column: string, filter: RowFilter | null) => void;
  readonly onOpen: (row: number) => void;
}

/** Rows of which only those that can be seen are in the page, and are fetched. */
export function RowGrid({
  datasourceId,
  list,
  place,
  columns,
  before,
  count,
  total,
  target,
  ...heads
}: RowGridProps): ReactNode {
  const region = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => region.current,
    estimateSize: () => ROW_HEIGHT,
    // The head stands over the first row.
    scrollPaddingStart: ROW_HEIGHT,
    overscan: 8,
  });
  const shown = virtual.getVirtualItems();
  const pages = pagesOf(shown.map(({ index }) => index));
  const [rested] = useDebouncedValue(pages.join(), RESTS_MS);
  const asked = rested === '' ? [] : rested.split(',').map(Number);
  const found = useQueries({
    queries: asked.map((page) => rowsQuery(datasourceId, list, before + page * PAGE)),
  });
  const rowAt = (index: number): readonly Cell[] | undefined =>
    found[asked.indexOf(Math.floor(index / PAGE))]?.data?.rows[index % PAGE];
  useEffect(() => {
    virtual.scrollToIndex(target, { align: 'start' });
  }, [virtual, target, before, place]);
  const widths = [NUMBER_WIDTH, ...columns.map(({ type }) => WIDTHS[type] ?? 200)];
  const template = widths.map((width) => `minmax(${String(width)}px, ${String(width)}fr)`).join(' ');
  const width = widths.reduce((sum, one) => sum + one, 0);
  const failure = found.find(({ error }) => error !== null)?.error;
  return (
    <>
      {failure != null && (
        <Text size="sm" role="alert" c="red" mb="xs">
          {t`Some rows could not be loaded: ${failure.message}`}
        </Text>
      )}
      <div ref={region} className={`card ${classes.place ?? ''}`} tabIndex={0} role="region" aria-label={t`Rows`}>
        <div role="table" aria-label={t`Rows`} aria-rowcount={total + 1} style={{ minWidth: width }}>
          <div role="rowgroup" className={classes.heads}>
            <div role="row" aria-rowindex={1} className={classes.row} style={{ gridTemplateColumns: template }}>
              <div role="columnheader" className={classes.cell}>
                {t`Row`}
              </div>
              {columns.map((column) => (
                <Head key={column.name} column={column} list={list} {...heads} />
              ))}
            </div>
          </div>
          <div role="rowgroup" className={classes.rows} style={{ height: virtual.getTotalSize() }}>
            {shown.map(({ index, start }) => (
              <Row
                key={index}
                number={before + index}
                cells={rowAt(index)}
                columns={columns}
                style={{ gridTemplateColumns: template, transform: `translateY(${String(start)}px)` }}
                onOpen={heads.onOpen}
              />
            ))}
          </div>
        </div>
      </div>
    </>
  );
}

function pagesOf(indices: readonly number[]): readonly number[] {
  return [...new Set(indices.map((index) => Math.floor(index / PAGE)))];
}

interface HeadProps extends Pick<RowGridProps, 'list' | 'onOrder' | 'onCondition'> {
  readonly column: ListedColumn;
}

function Head({ column, list: { order, filters = [] }, onOrder, onCondition }: HeadProps): ReactNode {
  const { name } = column;
  const sorted = order?.by !== name ? 'none' : order.direction === 'asc' ? 'ascending' : 'descending';
  return (
    <div
      role="columnheader"
      className={classes.cell}
      aria-sort={sorted}
      data-number={isNumeric(column.type) || undefined}
    >
      <ColumnMenu
        column={column}
        order={order}
        hasCondition={filters.some((filter) => filter.column === name)}
        onOrder={onOrder}
        onCondition={(filter) => {
          onCondition(name, filter);
        }}
      />
    </div>
  );
}

interface RowProps {
  readonly number: number;
  /** Not there: they are on their way. */
  readonly cells: readonly Cell[] | undefined;
  readonly columns: readonly ListedColumn[];
  readonly style: { readonly gridTemplateColumns: string; readonly transform: string };
  readonly onOpen: (row: number) => void;
}

function Row({ number, cells, columns, style, onOpen }: RowProps): ReactNode {
  return (
    <div role="row" aria-rowindex={number + 2} className={`${classes.row ?? ''} ${classes.listed ?? ''}`} style={style}>
      <div role="cell" className={classes.cell}>
        <UnstyledButton
          className={`numbers ${classes.number ?? ''}`}
          aria-label={t`Details of row ${whole(number + 1)}`}
          onClick={() => {
            onOpen(number);
          }}
        >
          {whole(number + 1)}
        </UnstyledButton>
      </div>
      {columns.map(({ name, type }, place) => (
        <div key={name} role="cell" className={classes.cell} data-number={isNumeric(type) || undefined}>
          {cells === undefined ? <Skeleton h={12} w="60%" /> : <CellText cell={cells[place] ?? null} type={type} />}
        </div>
      ))}
    </div>
  );
}

interface CellProps {
  readonly cell: Cell;
  readonly type: string;
  /** As it is stored; else short enough for a list. */
  readonly isExact?: boolean;
}

export function CellText({ cell, type, isExact = false }: CellProps): ReactNode {
  if (cell === null)
    return (
      <Text span c="dimmed" size="sm">
        {t`no value`}
      </Text>
    );
  const text = isExact ? exactText(cell, type) : shortText(cell, type);
  return (
    <span className={classes.cut} title={isExact ? undefined : exactText(cell, type)}>
      {text}
    </span>
  );
}

function shortText(cell: string | number | boolean, type: string): string {
  if (typeof cell === 'number') return figure(cell);
  return type === 'time' ? rowTime(String(cell)) : String(cell);
}

const EXACT = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 17 });

function exactText(cell: string | number | boolean, type: string): string {
  if (typeof cell === 'number') return EXACT.format(cell);
  return type === 'time' ? exactRowTime(String(cell)) : String(cell);
}
