import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Skeleton, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, type ComponentType, type ReactNode } from 'react';
import { useIsManager } from '../../../app/session.js';
import { ago, moment, whole } from '../../../shared/format.js';
import { datasourceQuery } from '../../../shared/queries.js';
import type { Datasource } from '../../../shared/wire.js';
import { isMissing, Missing } from '../../../ui/not-found.js';
import { Page } from '../../../ui/page.js';
import { Failure } from '../../../ui/states.js';
import { AskButton } from '../ask-button.js';
import { ImportState } from '../import-state.js';
import { DetailsTab } from './details-tab.js';
import { ExploreTab } from './explore-tab.js';
import { FirstImport } from './first-import.js';
import { InsertTab } from './insert-tab.js';
import { PageFilters } from './page-filters.js';
import { RejectedTab } from './rejected-tab.js';
import { TABS, type Tab } from './search.js';
import { SummaryTab } from './summary-tab.js';
import classes from './detail.module.css';

interface TabProps {
  readonly datasource: Datasource;
}

const CONTENTS: Readonly<Record<Tab, ComponentType<TabProps>>> = {
  summary: SummaryTab,
  rows: lazy(() => import('./rows/rows-tab.js')),
  explore: ExploreTab,
  insert: InsertTab,
  append: lazy(() => import('./append-tab.js')),
  rejected: RejectedTab,
  meaning: lazy(() => import('./meaning-tab.js')),
  relations: lazy(() => import('./relations-tab.js')),
  verified: lazy(() => import('./verified-tab.js')),
  details: DetailsTab,
};

/** One datasource: what is in it, and what can be done with it. */
export function DatasourcePage(): ReactNode {
  const { id } = useParams({ from: '/datasources/$id' });
  const { data: datasource, error, refetch } = useQuery(datasourceQuery(id));
  const crumbs = [{ label: t`Datasources`, to: '/datasources' }];
  if (isMissing(error)) return <Missing title={t`This datasource does not exist`} />;
  if (datasource === undefined) {
    return (
      <Page title={t`Datasource`} crumbs={crumbs} subtitle={'\u00a0'}>
        {error === null ? <Skeleton h={320} /> : <Failure error={error} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  return (
    <Page
      title={datasource.name}
      crumbs={crumbs}
      subtitle={<Subtitle datasource={datasource} />}
      actions={
        <>
          <ImportState datasource={datasource} />
          <AskButton datasource={datasource} />
        </>
      }
    >
      {hasNoRowsYet(datasource) ? (
        <FirstImport datasource={datasource} />
      ) : (
        <Content key={id} datasource={datasource} />
      )}
    </Page>
  );
}

function hasNoRowsYet({ import: { status }, d_files: files }: Datasource): boolean {
  return status !== 'ready' && files.length === 0;
}

function Subtitle({ datasource }: TabProps): ReactNode {
  const { doc_count: rows, updated_at: updated, config } = datasource;
  const files = datasource.d_files.length === 0 ? datasource.files : datasource.d_files.map(({ file }) => file);
  return (
    <span className="numbers">
      {plural(rows, { one: '# row', other: '# rows' })} ·{' '}
      {files.length === 1 ? files[0] : plural(files.length, { one: '# file', other: '# files' })} ·{' '}
      {t`by ${config.metafield}`} · <span title={moment(updated)}>{t`updated ${ago(updated)}`}</span>
    </span>
  );
}

const LABELS: Readonly<Record<Tab, MessageDescriptor>> = {
  summary: msg`Summary`,
  rows: msg`Rows`,
  explore: msg`Explore`,
  insert: msg`Insert rows`,
  append: msg`Add a file`,
  rejected: msg`Skipped lines`,
  meaning: msg`Meaning`,
  relations: msg`Relations`,
  verified: msg`Verified`,
  details: msg`Details`,
};

/** Where the tabs scroll: of the one before the chosen, so that it is seen that there is one. */
const ROOM_BEFORE = 64;

/** Tabs on which the filters of the page hold. */
const FILTERED: readonly Tab[] = ['summary', 'rows', 'explore'];

function Content({ datasource }: TabProps): ReactNode {
  const { tab = 'summary' } = useSearch({ from: '/datasources/$id' });
  const TabContent = CONTENTS[tab];
  const navigate = useNavigate({ from: '/datasources/$id' });
  const { rejected } = datasource.import;
  const isManager = useIsManager();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>('[data-active]');
    if (list.current !== null && chosen != null) list.current.scrollLeft = chosen.offsetLeft - ROOM_BEFORE;
  }, [tab]);
  const isThere: Partial<Record<Tab, boolean>> = { insert: datasource.place === null, verified: isManager };
  return (
    <Tabs
      value={tab}
      keepMounted={false}
      onChange={(value) => {
        const next = TABS.find((one) => one === value);
        void navigate({
          search: (before) => ({ ...before, ...(next === undefined ? {} : { tab: next }) }),
          replace: true,
          resetScroll: false,
        });
      }}
    >
      <Tabs.List mb="lg" ref={list} className={classes.tabs}>
        {TABS.filter((name) => isThere[name] ?? true).map((name) => (
          <Tabs.Tab key={name} value={name}>
            {i18n._(LABELS[name])}
            {name === 'rejected' && rejected > 0 && ` (${whole(rejected)})`}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab}>
        {FILTERED.includes(tab) && <PageFilters />}
        <Suspense fallback={<Skeleton h={480} />}>
          <TabContent datasource={datasource} />
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  );
}
