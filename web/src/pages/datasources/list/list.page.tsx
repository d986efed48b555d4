import { Button, Pagination, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconDatabasePlus, IconPlus, IconSearch, IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { counted } from '../../../shared/format.js';
import { datasourceListQuery, PAGE_SIZE, type DatasourceList } from '../../../shared/queries.js';
import { Page } from '../../../ui/page.js';
import { Empty, Loaded } from '../../../ui/states.js';
import { TrySample } from '../try-sample.js';
import { DatasourceTable, DatasourceTableSkeleton } from './datasource-table.js';

/** The company's datasources, newest first. */
export function DatasourcesPage(): ReactNode {
  const { q = '', page = 0 } = useSearch({ from: '/datasources' });
  const query = useQuery(datasourceListQuery(q, page));
  const total = query.data?.total;
  return (
    <Page
      title="Datasources"
      subtitle={total === undefined ? '\u00a0' : `${counted(total, 'datasource')}${q === '' ? '' : ` with “${q}”`}`}
      actions={<NewButton />}
    >
      <Search search={q} />
      <Loaded query={query} skeleton={<DatasourceTableSkeleton />}>
        {(list) => <Found list={list} search={q} page={page} />}
      </Loaded>
    </Page>
  );
}

function NewButton(): ReactNode {
  return (
    <Button component={Link} to="/datasources/new" leftSection={<IconPlus size={16} />}>
      New datasource
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
      aria-label="Search datasources by name"
      placeholder="Search by name"
      leftSection={<IconSearch size={16} stroke={1.6} />}
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
  readonly page: number;
}

function Found({ list: { datasources, total }, search, page }: FoundProps): ReactNode {
  const navigate = useNavigate();
  if (datasources.length === 0) return search === '' ? <NoneYet /> : <NoneFound />;
  return (
    <>
      <DatasourceTable datasources={datasources} />
      {total > PAGE_SIZE && (
        <Pagination
          mt="md"
          total={Math.ceil(total / PAGE_SIZE)}
          value={page + 1}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          onChange={(next) => {
            const q = search === '' ? {} : { q: search };
            void navigate({ to: '/datasources', search: { ...q, ...(next > 1 ? { page: next - 1 } : {}) } });
          }}
        />
      )}
    </>
  );
}

function NoneYet(): ReactNode {
  return (
    <Empty
      icon={IconDatabasePlus}
      title="No datasources yet"
      action={
        <>
          <NewButton />
          <TrySample />
        </>
      }
    >
      Upload a table (CSV, Excel, Parquet, JSON), and look into it a minute later. Or see with sample data how it works.
    </Empty>
  );
}

function NoneFound(): ReactNode {
  return (
    <Empty
      icon={IconSearchOff}
      title="Nothing by that name"
      action={
        <Button component={Link} to="/datasources" variant="default">
          Show all
        </Button>
      }
    >
      No datasource has this text in its name.
    </Empty>
  );
}
