import { plural, t } from '@lingui/core/macro';
import { Button, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { datasourceListQuery, PAGE_SIZE, type DatasourceList } from '../../../shared/queries.js';
import { IconDatabasePlus, IconPlus, IconSearch, IconSearchOff } from '../../../ui/icons.js';
import { Page } from '../../../ui/page.js';
import { Pager, usePage } from '../../../ui/pager.js';
import { Empty, Loaded } from '../../../ui/states.js';
import { TrySample } from '../try-sample.js';
import { DatasourceTable, DatasourceTableSkeleton } from './datasource-table.js';

/** The company's datasources, newest first. */
export function DatasourcesPage(): ReactNode {
  const { q = '' } = useSearch({ from: '/datasources' });
  const [page, setPage] = usePage();
  const query = useQuery(datasourceListQuery(q, page));
  const total = query.data?.total;
  return (
    <Page title={t`Datasources`} subtitle={total === undefined ? '\u00a0' : countOf(total, q)} actions={<NewButton />}>
      <Search search={q} />
      <Loaded query={query} skeleton={<DatasourceTableSkeleton />}>
        {(list) => <Found list={list} search={q} />}
      </Loaded>
      <Pager page={page} total={total ?? 0} size={PAGE_SIZE} onChange={setPage} />
    </Page>
  );
}

function countOf(total: number, search: string): string {
  return search === ''
    ? plural(total, { one: '# datasource', other: '# datasources' })
    : t`${plural(total, { one: '# datasource', other: '# datasources' })} with “${search}”`;
}

function NewButton(): ReactNode {
  return (
    <Button component={Link} to="/datasources/new" leftSection={<IconPlus />}>
      {t`New datasource`}
    </Button>
  );
}

const SEARCH_AFTER_MS = 250;

function Search({ search }: { readonly search: string }): ReactNode {
  const [text, setText] = useState(search);
  const navigate = useNavigate();
  useEffect(() => {
    // Taken back elsewhere, by a link or the browser's way back; while somebody types the address only follows.
    if (search === '') setText('');
  }, [search]);
  const look = useDebouncedCallback((q: string) => {
    void navigate({ to: '/datasources', search: q === '' ? {} : { q }, replace: true });
  }, SEARCH_AFTER_MS);
  return (
    <TextInput
      type="search"
      aria-label={t`Search datasources by name`}
      placeholder={t`Search by name`}
      leftSection={<IconSearch />}
      maw={360}
      mb="md"
      maxLength={200}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        look(value.trim());
      }}
    />
  );
}

interface FoundProps {
  readonly list: DatasourceList;
  readonly search: string;
}

function Found({ list: { datasources }, search }: FoundProps): ReactNode {
  if (datasources.length === 0) return search === '' ? <NoneYet /> : <NoneFound />;
  return <DatasourceTable datasources={datasources} />;
}

function NoneYet(): ReactNode {
  return (
    <Empty
      icon={IconDatabasePlus}
      title={t`No datasources yet`}
      action={
        <>
          <NewButton />
          <TrySample />
        </>
      }
    >
      {t`Upload a table (CSV, Excel, Parquet or JSON) and explore it a minute later. Or try it with sample data.`}
    </Empty>
  );
}

function NoneFound(): ReactNode {
  return (
    <Empty
      icon={IconSearchOff}
      title={t`Nothing found`}
      action={
        <Button component={Link} to="/datasources" variant="default">
          {t`Show all`}
        </Button>
      }
    >
      {t`No datasource has this text in its name.`}
    </Empty>
  );
}
