import { Skeleton, Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import { ago, counted, moment, whole } from '../../../shared/format.js';
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
import { RejectedTab } from './rejected-tab.js';
import { TABS, type Tab } from './search.js';
import { SummaryTab } from './summary-tab.js';

const RowsTab = lazy(() => import('./rows/rows-tab.js'));
const MeaningTab = lazy(() => import('./meaning-tab.js'));
const VerifiedTab = lazy(() => import('./verified-tab.js'));

const CRUMBS = [{ label: 'Datasources', to: '/datasources' }];

/** One datasource: what is in it, and what can be done with it. */
export function DatasourcePage(): ReactNode {
  const { id } = useParams({ from: '/datasources/$id' });
  const { data: datasource, error, refetch } = useQuery(datasourceQuery(id));
  if (isMissing(error)) return <Missing what="datasource" />;
  if (datasource === undefined) {
    return (
      <Page title="Datasource" crumbs={CRUMBS} subtitle={'\u00a0'}>
        {error === null ? <Skeleton h={320} /> : <Failure error={error} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  return (
    <Page
      title={datasource.name}
      crumbs={CRUMBS}
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

function hasNoRowsYet({ import: { status }, doc_count: rows }: Datasource): boolean {
  return status === 'failed' || (status !== 'ready' && rows === 0);
}

function Subtitle({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const { doc_count: rows, files, updated_at: updated, config } = datasource;
  return (
    <span className="numbers">
      {counted(rows, 'row')} · {files.length === 1 ? files[0] : counted(files.length, 'file')} · by {config.metafield} ·{' '}
      <span title={moment(updated)}>updated {ago(updated)}</span>
    </span>
  );
}

const LABELS: Readonly<Record<Tab, string>> = {
  summary: 'Summary',
  rows: 'Rows',
  explore: 'Explore',
  insert: 'Insert rows',
  rejected: 'Skipped lines',
  meaning: 'Meaning',
  verified: 'Verified',
  details: 'Details',
};

function Content({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const { tab = 'summary' } = useSearch({ from: '/datasources/$id' });
  const navigate = useNavigate({ from: '/datasources/$id' });
  const { rejected } = datasource.import;
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
      <Tabs.List mb="lg">
        {TABS.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {name === 'rejected' && rejected > 0 ? `${LABELS[name]} (${whole(rejected)})` : LABELS[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab}>
        <TabContent tab={tab} datasource={datasource} />
      </Tabs.Panel>
    </Tabs>
  );
}

function TabContent({ tab, datasource }: { readonly tab: Tab; readonly datasource: Datasource }): ReactNode {
  switch (tab) {
    case 'summary':
      return <SummaryTab datasource={datasource} />;
    case 'rows':
      return (
        <Suspense fallback={<Skeleton h={480} />}>
          <RowsTab datasource={datasource} />
        </Suspense>
      );
    case 'explore':
      return <ExploreTab datasource={datasource} />;
    case 'insert':
      return <InsertTab datasource={datasource} />;
    case 'rejected':
      return <RejectedTab datasource={datasource} />;
    case 'meaning':
      return (
        <Suspense fallback={<Skeleton h={480} />}>
          <MeaningTab datasource={datasource} />
        </Suspense>
      );
    case 'verified':
      return (
        <Suspense fallback={<Skeleton h={480} />}>
          <VerifiedTab datasource={datasource} />
        </Suspense>
      );
    case 'details':
      return (
        <Stack gap="xl">
          <DetailsTab datasource={datasource} />
        </Stack>
      );
  }
}
