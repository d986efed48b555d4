import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, CopyButton, Group, Stack, Table, Text, Textarea } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useContext, useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { figuresLike, rowTime, sentence, whole } from '../../shared/format.js';
import { saveBlob } from '../../shared/save.js';
import { useChange } from '../../shared/use-change.js';
import { typed } from '../../ui/form.js';
import { IconCheck, IconCopy, IconDownload, IconPencil, IconPlayerPlay } from '../../ui/icons.js';
import { Turns } from '../../ui/pager.js';
import type { Answer } from './assistant.queries.js';
import type { RowList } from '../datasources/detail/search.js';
import type { Behind } from './rows-behind.js';
import { AskAgain, type Asking } from './understood.js';
import classes from './answer.module.css';

const PAGE = 100;

type Cell = string | number | boolean | null;

/** A query on a datasource, whose result is read page by page. */
interface Asked {
  readonly datasourceId: string;
  /** What it may join, beside that one. */
  readonly others: readonly string[];
  readonly query: string;
  /** Rows that the datasource had when it was answered; null: it is asked now. */
  readonly rowsThen: number | null;
}

/** What an answer's rows are read from beyond those it carries; null when it carries all of them. */
export function useWholeResult({ data, dbquery, evidence, understood }: Answer): Asked | null {
  const asking = useContext(AskAgain);
  const isWhole = data === null || data.rows.length >= evidence.rows_returned;
  // A statistic is worked out of what its query gives.
  const isWorkedOut = understood?.plan.kind === 'statistic';
  if (asking === null || isWhole || isWorkedOut || dbquery === '') return null;
  return { ...subjectOf(asking), query: dbquery, rowsThen: evidence.rows_scanned };
}

function subjectOf({ datasourceId, datasourceIds }: Asking): Pick<Asked, 'datasourceId' | 'others'> {
  return { datasourceId, others: datasourceIds.filter((id) => id !== datasourceId) };
}

function pageQuery({ datasourceId, others, query }: Asked, offset: number) {
  return {
    queryKey: ['result', datasourceId, others, query, offset],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
      const body = { datasource_id: datasourceId, datasource_ids: [...others], query, offset, limit: PAGE };
      return call(api.POST('/api/v1/secure/data/query', { body, signal }));
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  };
}

/** The rows of a whole result, a page at a time. */
export function PagedTable({ asked, behind }: { readonly asked: Asked; readonly behind?: Behind | null }): ReactNode {
  const [offset, setOffset] = useState(0);
  const { data: page, error, isFetching } = useQuery(pageQuery(asked, offset));
  if (error !== null)
    return (
      <Alert color="red" role="alert" mt="xs" title={t`The query failed`}>
        {sentence(error.message)}
      </Alert>
    );
  if (page === undefined)
    return (
      <Text size="sm" c="dimmed" mt="xs" role="status">
        {t`Loading rows…`}
      </Text>
    );
  const { total, rows, columns, rows_scanned: rowsNow, offset: shown } = page;
  const last = shown + rows.length;
  const span = rows.length === 0 ? t`no rows` : t`${whole(shown + 1)} to ${whole(last)} of ${whole(total)}`;
  return (
    <Stack gap="xs" mt="xs" aria-busy={isFetching}>
      {asked.rowsThen !== null && asked.rowsThen !== rowsNow && (
        <Text size="sm" c="dimmed">
          <Trans>
            The data has changed since this answer: {whole(asked.rowsThen)} rows then, {whole(rowsNow)} now. This is the
            current result.
          </Trans>
        </Text>
      )}
      <RowsTable columns={columns.map(({ name }) => name)} rows={rows} behind={behind} />
      <Group gap="xs" justify="flex-end">
        <Text size="sm" c="dimmed" className="numbers" role="status">
          {span}
        </Text>
        <Turns
          words={[t`Previous rows`, t`Next rows`]}
          back={shown === 0 || isFetching ? null : Math.max(0, shown - PAGE)}
          on={last >= total || isFetching ? null : last}
          size="compact-sm"
          onGo={setOffset}
        />
      </Group>
    </Stack>
  );
}

/** Saves a whole result as CSV. */
export function useSaveResult(): { readonly save: (asked: Asked) => void; readonly isSaving: boolean } {
  const saving = useChange({
    change: async ({ datasourceId, others, query }: Asked) => {
      const body = { datasource_id: datasourceId, datasource_ids: [...others], query };
      saveBlob(await call(api.POST('/api/v1/secure/data/query/csv', { body, parseAs: 'blob' })), 'answer.csv');
    },
    says: t`The result was saved.`,
    problem: t`The result could not be saved`,
  });
  return { save: saving.mutate, isSaving: saving.isPending };
}

interface RowsProps {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Figures that have rows behind them lead to these. */
  readonly behind?: Behind | null | undefined;
}

export function RowsTable({ columns, rows, behind }: RowsProps): ReactNode {
  const writers = columns.map((_, index) => figuresLike(rows.map((row) => row[index])));
  return (
    <Table.ScrollContainer
      minWidth={Math.min(columns.length * 110, 900)}
      maxHeight={360}
      mt="xs"
      className={classes.data}
    >
      <Table stickyHeader>
        <Table.Thead>
          <Table.Tr>
            {columns.map((name, index) => (
              <Table.Th key={index} ta={typeof rows[0]?.[index] === 'number' ? 'right' : undefined}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, line) => (
            <Table.Tr key={line}>
              {row.map((cell, index) => (
                <Table.Td key={index} className="numbers" ta={typeof cell === 'number' ? 'right' : undefined}>
                  <Figure list={typeof cell === 'number' ? (behind?.(row, index) ?? null) : null}>
                    {typeof cell === 'number' ? writers[index]?.(cell) : <CellText cell={cell} />}
                  </Figure>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Figure({ children, list }: { readonly children: ReactNode; readonly list: RowList | null }): ReactNode {
  const asking = useContext(AskAgain);
  if (asking === null || list === null) return children;
  return (
    <Link
      to="/datasources/$id"
      params={{ id: asking.datasourceId }}
      search={{ tab: 'rows', list }}
      title={t`Show these rows`}
      className={classes.figure}
    >
      {children}
    </Link>
  );
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

function CellText({ cell }: { readonly cell: Exclude<Cell, number> }): ReactNode {
  if (cell === null)
    return (
      <Text span c="dimmed" size="sm">
        {t`no value`}
      </Text>
    );
  return typeof cell === 'string' && TIME.test(cell) ? rowTime(cell) : String(cell);
}

/** The query that ran. It can be changed and run, which reads and changes nothing. */
export function QueryPart({ text }: { readonly text: string }): ReactNode {
  const asking = useContext(AskAgain);
  const [isEdited, setIsEdited] = useState(false);
  if (asking !== null && isEdited)
    return (
      <QueryEditor
        text={text}
        subject={subjectOf(asking)}
        onCancel={() => {
          setIsEdited(false);
        }}
      />
    );
  return (
    <div className={classes.query}>
      <Group gap={4} className={classes.copy}>
        <CopyText text={text} label={t`Copy`} />
        {asking !== null && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPencil size={14} aria-hidden />}
            onClick={() => {
              setIsEdited(true);
            }}
          >
            {t`Edit`}
          </Button>
        )}
      </Group>
      <pre tabIndex={0}>{text}</pre>
    </div>
  );
}

interface EditorProps {
  readonly text: string;
  readonly subject: Pick<Asked, 'datasourceId' | 'others'>;
  readonly onCancel: () => void;
}

function QueryEditor({ text, subject, onCancel }: EditorProps): ReactNode {
  const [draft, setDraft] = useState(text);
  const [ran, setRan] = useState<Asked | null>(null);
  const { save, isSaving } = useSaveResult();
  return (
    <Stack gap="xs" mt="xs">
      <Textarea
        aria-label={t`Query`}
        description={t`One SELECT on the table “data”. It can only read.`}
        autosize
        minRows={4}
        maxRows={16}
        maxLength={20_000}
        spellCheck={false}
        value={draft}
        classNames={{ input: classes.sql ?? '' }}
        onChange={typed(setDraft)}
      />
      <Group gap="xs">
        <Button
          size="compact-sm"
          disabled={draft.trim() === ''}
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          onClick={() => {
            setRan({ ...subject, query: draft, rowsThen: null });
          }}
        >
          {t`Run the query`}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onCancel}>
          {t`Cancel`}
        </Button>
        {ran !== null && (
          <Button
            size="compact-sm"
            variant="default"
            loading={isSaving}
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() => {
              save(ran);
            }}
          >
            {t`Save result`}
          </Button>
        )}
      </Group>
      {ran !== null && <PagedTable key={ran.query} asked={ran} />}
    </Stack>
  );
}

/** `3,240 rows`, as far as the answer knows. */
export function rowCount({ data, evidence }: Answer): string {
  const count = Math.max(data?.rows.length ?? 0, evidence.rows_returned);
  return count === MOST_KNOWN ? t`${whole(count)} rows or more` : plural(count, { one: '# row', other: '# rows' });
}

/** An answer looks at no more rows than this. */
const MOST_KNOWN = 1000;

function CopyText({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          onClick={copy}
        >
          {copied ? t`Copied` : label}
        </Button>
      )}
    </CopyButton>
  );
}

const NEEDS_QUOTES = /[",\r\n]/;
/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** RFC 4180, with a mark of UTF-8, without which spreadsheets read umlauts wrong. */
export function csvOf({ columns, rows }: RowsProps): Blob {
  const lines = [columns, ...rows].map((cells) => cells.map(cellText).join(','));
  return new Blob([`\ufeff${lines.join('\r\n')}\r\n`], { type: 'text/csv;charset=utf-8' });
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
