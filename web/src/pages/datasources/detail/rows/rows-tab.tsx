import { plural, t } from '@lingui/core/macro';
import { Button, Drawer, Group, MultiSelect, NumberInput, Pill, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { api, call } from '../../../../app/client.js';
import { signOf, whole } from '../../../../shared/format.js';
import { saveBlob, saveDownload } from '../../../../shared/save.js';
import type { Datasource } from '../../../../shared/wire.js';
import { ExportButton, type RowFormat } from '../../../../ui/download-button.js';
import { IconSearch, IconTableOff } from '../../../../ui/icons.js';
import { Turns } from '../../../../ui/pager.js';
import { Empty, Failure, Loaded } from '../../../../ui/states.js';
import type { RowList } from '../search.js';
import { withCondition, wordsOf } from './conditions.js';
import { CellText, RowGrid } from './row-grid.js';
import { bodyOf, PAGE, rowsQuery } from './rows.queries.js';
import classes from './rows.module.css';

/** Rows that are in one list to be scrolled: a browser knows no place of any height. */
const PART = 100_000;
/** Columns that are shown before others are chosen. */
const FIRST_COLUMNS = 20;

/** The rows as they are, sorted, filtered and searched by the service; what is looked at stands in the address. */
export default function RowsTab({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const { list: own = {}, where = [] } = useSearch({ from: '/datasources/$id' });
  const list: RowList = where.length === 0 ? own : { ...own, where };
  const navigate = useNavigate({ from: '/datasources/$id' });
  const look = (change: RowList): void => {
    void navigate({
      search: (before) => ({ ...before, list: withoutNothing({ ...before.list, ...change }) }),
      replace: true,
      resetScroll: false,
    });
  };
  const tab = useRef<HTMLDivElement>(null);
  const widen = (change: RowList): void => {
    look(change);
    // The button that was pressed goes with what it has removed.
    tab.current?.focus({ preventScroll: true });
  };
  const names = columnsOf(datasource);
  const columns = list.columns ?? names.slice(0, FIRST_COLUMNS);
  const asked = { ...list, columns };
  const first = useQuery({ ...rowsQuery(datasource.id, asked, 0), placeholderData: keepPreviousData });
  return (
    <Stack gap="md" ref={tab} tabIndex={-1} className={classes.tab}>
      <Controls datasource={datasource} list={list} names={names} columns={columns} onChange={look} />
      <Conditions list={list} onChange={widen} />
      {first.error !== null ? (
        <Failure error={first.error} title={t`The rows could not be loaded`} onRetry={() => void first.refetch()} />
      ) : (
        <Loaded query={first} skeleton={<Skeleton h={480} />}>
          {({ total, rows_scanned: all, columns: listed }) => (
            <Listed {...{ datasource, list: asked, total, all, listed, onChange: look, onWiden: widen }} />
          )}
        </Loaded>
      )}
      <RowDetails datasource={datasource} list={list} total={first.data?.total ?? 0} onChange={look} />
    </Stack>
  );
}

/** Of all files, each once; with the time that was made up when there is none. */
function columnsOf({ config }: Datasource): readonly string[] {
  return [...new Set(config.columns.flat())];
}

function withoutNothing(list: RowList): RowList {
  return Object.fromEntries(
    Object.entries(list).filter(([, value]) => value !== undefined && value !== '' && !isEmptyList(value)),
  );
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

interface ControlsProps {
  readonly datasource: Datasource;
  readonly list: RowList;
  readonly names: readonly string[];
  readonly columns: readonly string[];
  readonly onChange: (change: RowList) => void;
}

const SEARCH_AFTER_MS = 300;

function Controls({ datasource, list, names, columns, onChange }: ControlsProps): ReactNode {
  const [text, setText] = useState(list.search ?? '');
  const search = useDebouncedCallback((wanted: string) => {
    onChange({ search: wanted.trim() });
  }, SEARCH_AFTER_MS);
  useEffect(() => {
    // Taken back elsewhere.
    if (list.search === undefined) setText('');
  }, [list.search]);
  return (
    <Group align="flex-end" gap="sm">
      <TextInput
        type="search"
        label={t`Search`}
        placeholder={t`A text or a number in any column`}
        leftSection={<IconSearch />}
        maxLength={1000}
        flex="1 1 320px"
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          search(value);
        }}
      />
      <MultiSelect
        label={t`Columns (${whole(columns.length)} of ${whole(names.length)})`}
        data={[...names]}
        value={[...columns]}
        searchable
        clearable
        hidePickedOptions
        maxDropdownHeight={280}
        flex="2 1 240px"
        // The longest name makes it no wider than the page.
        miw={0}
        styles={{ pillsList: { maxHeight: 62, overflowY: 'auto' } }}
        onChange={(chosen) => {
          onChange({ columns: chosen });
        }}
      />
      <ExportRows datasource={datasource} list={{ ...list, columns }} isWhole={isWhole(list, columns, names)} />
    </Group>
  );
}

function isWhole(
  { search, filters, where, order }: RowList,
  columns: readonly string[],
  names: readonly string[],
): boolean {
  return [search, filters, where, order].every((one) => one === undefined) && columns.join() === names.join();
}

interface ExportProps {
  readonly datasource: Datasource;
  readonly list: RowList;
  readonly isWhole: boolean;
}

/** What is listed as a file; all rows go to the disk as they come. */
function ExportRows({ datasource: { id, doc_count: rows, name }, list, isWhole: isAll }: ExportProps): ReactNode {
  const save = async (format: RowFormat): Promise<string | null> => {
    if (isAll) return saveDownload('/api/v1/secure/datasource/export', { id, format }, rows);
    const body = { ...bodyOf(id, list), format };
    saveBlob(await call(api.POST('/api/v1/secure/data/query/csv', { body, parseAs: 'blob' })), `${name}.${format}`);
    return `${name}.${format}`;
  };
  return <ExportButton save={save} />;
}

interface ConditionsProps {
  readonly list: RowList;
  readonly onChange: (change: RowList) => void;
}

function Conditions({ list: { filters = [] }, onChange }: ConditionsProps): ReactNode {
  if (filters.length === 0) return null;
  return (
    <Group gap="xs" role="group" aria-label={t`Filters`}>
      {filters.map((filter, place) => (
        <Pill
          key={place}
          size="md"
          withRemoveButton
          removeButtonProps={{ 'aria-label': t`Remove filter: ${wordsOf(filter)}`, 'aria-hidden': false, tabIndex: 0 }}
          onRemove={() => {
            onChange({ filters: filters.toSpliced(place, 1) });
          }}
        >
          {wordsOf(filter)}
        </Pill>
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        onClick={() => {
          onChange({ filters: [] });
        }}
      >
        {t`All rows`}
      </Button>
    </Group>
  );
}

interface ListedProps {
  readonly datasource: Datasource;
  readonly list: RowList;
  readonly total: number;
  /** Rows of the datasource. */
  readonly all: number;
  readonly listed: readonly { readonly name: string; readonly type: string }[];
  readonly onChange: (change: RowList) => void;
  readonly onWiden: (change: RowList) => void;
}

function Listed({ datasource, list, total, all, listed, onChange, onWiden }: ListedProps): ReactNode {
  const place = JSON.stringify({ ...list, row: undefined });
  const [gone, setGone] = useState({ place, row: 0 });
  // Another list is seen from its first row.
  const target = gone.place === place ? gone.row : 0;
  if (total === 0)
    return (
      <Empty
        icon={IconTableOff}
        title={t`No rows match`}
        action={
          <Button
            variant="default"
            onClick={() => {
              onWiden({ filters: [], search: '' });
            }}
          >
            {t`Show all rows`}
          </Button>
        }
      >
        {t`Change the search or remove a filter.`}
      </Empty>
    );
  const part = Math.floor(target / PART);
  const before = part * PART;
  return (
    <div>
      <Group justify="space-between" mb="xs">
        <Text size="sm" c="dimmed" className="numbers" role="status">
          {total === all
            ? plural(total, { one: '# row', other: '# rows' })
            : t`${whole(total)} of ${plural(all, { one: '# row', other: '# rows' })}`}
          {total > PART && ` · ${t`${whole(before + 1)} to ${whole(Math.min(before + PART, total))}`}`}
        </Text>
        {total > PAGE && (
          <GoTo
            key={place}
            total={total}
            target={target}
            onGo={(row) => {
              setGone({ place, row });
            }}
          />
        )}
      </Group>
      <RowGrid
        datasourceId={datasource.id}
        list={list}
        place={place}
        columns={listed}
        before={before}
        count={Math.min(PART, total - before)}
        total={total}
        target={target - before}
        onOrder={(order) => {
          onChange({ order });
        }}
        onCondition={(column, filter) => {
          onChange({ filters: withCondition(list.filters ?? [], column, filter) });
        }}
        onOpen={(row) => {
          onChange({ row });
        }}
      />
    </div>
  );
}

interface GoToProps {
  readonly total: number;
  readonly target: number;
  readonly onGo: (row: number) => void;
}

function GoTo({ total, target, onGo }: GoToProps): ReactNode {
  const [wanted, setWanted] = useState<number | string>('');
  const part = Math.floor(target / PART);
  return (
    <Group gap="xs">
      {total > PART && (
        <Turns
          words={[t`Previous part`, t`Next part`]}
          back={part === 0 ? null : (part - 1) * PART}
          on={(part + 1) * PART >= total ? null : (part + 1) * PART}
          size="xs"
          onGo={onGo}
        />
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typeof wanted === 'number') onGo(Math.min(Math.max(wanted, 1), total) - 1);
        }}
      >
        <NumberInput
          size="xs"
          w={130}
          aria-label={t`Go to row`}
          placeholder={t`Go to row`}
          hideControls
          thousandSeparator={signOf('group')}
          allowDecimal={false}
          allowNegative={false}
          value={wanted}
          onChange={setWanted}
        />
      </form>
    </Group>
  );
}

interface DetailsProps {
  readonly datasource: Datasource;
  readonly list: RowList;
  readonly total: number;
  readonly onChange: (change: RowList) => void;
}

/** Every value of one row, also of columns that are not listed. */
function RowDetails({ datasource: { id }, list, total, onChange }: DetailsProps): ReactNode {
  const { row } = list;
  const query = useQuery({
    ...rowsQuery(id, { ...list, columns: [] }, row ?? 0, 1),
    enabled: row !== undefined,
    placeholderData: keepPreviousData,
  });
  const turn = (next: number): void => {
    onChange({ row: next });
  };
  return (
    <Drawer
      opened={row !== undefined}
      position="right"
      title={row === undefined ? '' : t`Row ${whole(row + 1)} of ${whole(total)}`}
      closeButtonProps={{ 'aria-label': t`Close` }}
      onClose={() => {
        onChange({ row: undefined });
      }}
    >
      {row !== undefined && (
        <Stack gap="md">
          <Group gap="xs">
            <Turns
              words={[t`Previous`, t`Next`]}
              back={row === 0 ? null : row - 1}
              on={row + 1 >= total ? null : row + 1}
              size="xs"
              onGo={turn}
            />
          </Group>
          <Loaded query={query} skeleton={<Skeleton h={240} />}>
            {({ columns, rows: [values] }) => (
              <dl className={classes.values}>
                {columns.map(({ name, type }, place) => (
                  <Value key={name} name={name}>
                    <CellText cell={values?.[place] ?? null} type={type} isExact />
                  </Value>
                ))}
              </dl>
            )}
          </Loaded>
        </Stack>
      )}
    </Drawer>
  );
}

function Value({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
