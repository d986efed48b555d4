import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Badge, Button, Code, Group, NativeSelect, Stack, Table, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../../app/client.js';
import { useProgress } from '../../../shared/datasource-news.js';
import { ago, moment, sentence, TIME_ZONE, whole } from '../../../shared/format.js';
import { keys } from '../../../shared/keys.js';
import { useChange } from '../../../shared/use-change.js';
import type { Datasource, Fetch, Place } from '../../../shared/wire.js';
import { begins } from '../../../ui/form.js';
import { IconRefresh } from '../../../ui/icons.js';
import { TableHead } from '../../../ui/table-head.js';
import { ChangePlace } from './change-place.js';
import { SOME_TIME, type WeeklyTime, WeeklyTimeFields } from '../../../ui/weekly-time.js';

const TURNS = [
  { value: '0', label: msg`Only on demand` },
  { value: '15', label: msg`Every 15 minutes` },
  { value: '60', label: msg`Every hour` },
  { value: '360', label: msg`Every 6 hours` },
  { value: '1440', label: msg`Every day` },
  { value: 'weekly', label: msg`At a time of day` },
];

interface SectionProps {
  readonly datasource: Datasource;
  readonly place: Place;
}

/** Where a datasource comes from, when it is fetched, and what that changed. */
export function PlaceSection({ datasource, place }: SectionProps): ReactNode {
  const changed = useChanged();
  return (
    <Stack component="section" gap="sm">
      <Group justify="space-between">
        <Title order={2}>{t`Where it comes from`}</Title>
        <Group gap="sm">
          <ChangePlace id={datasource.id} place={place} onChanged={changed} />
          <FetchButton datasource={datasource} />
        </Group>
      </Group>
      <Facts datasource={datasource} place={place} />
      <Turns datasource={datasource} place={place} />
      {place.fetches.length > 0 && <Fetches fetches={place.fetches} />}
    </Stack>
  );
}

function useChanged(): (answer: { readonly datasource: Datasource }) => void {
  const queries = useQueryClient();
  return ({ datasource }) => {
    queries.setQueryData(keys.datasource(datasource.id), datasource);
  };
}

export function FetchButton({ datasource: { id, updating } }: { readonly datasource: Datasource }): ReactNode {
  const changed = useChanged();
  const body = { id };
  const fetching = useChange({
    change: () => call(api.POST('/api/v1/secure/datasource/refetch', { body })),
    says: t`It is being fetched. The rows stay until the new ones are there.`,
    done: changed,
    problem: t`It is not fetched`,
  });
  const stopping = useChange({
    change: () => call(api.DELETE('/api/v1/secure/datasource/refetch', { body })),
    says: t`Stopped. The rows are as before.`,
    done: changed,
    problem: t`It was not stopped`,
  });
  if (updating) {
    return (
      <Button variant="default" {...begins(stopping)}>
        {t`Stop`}
      </Button>
    );
  }
  return (
    <Button leftSection={<IconRefresh />} {...begins(fetching)}>
      {t`Fetch now`}
    </Button>
  );
}

/* oxlint-disable lingui/no-unlocalized-strings -- names of products */
const KINDS: Readonly<Record<string, string>> = {
  s3: 'S3',
  postgresql: 'PostgreSQL',
  mysql: 'MySQL',
};
/* oxlint-enable lingui/no-unlocalized-strings */

function Facts({ datasource, place }: SectionProps): ReactNode {
  const progress = useProgress(datasource.id);
  const [last] = place.fetches;
  const now = place.fetching ? (progress?.message ?? t`Fetching`) : t`Importing`;
  const next = place.next_fetch_at === null ? t`when somebody asks` : `${moment(place.next_fetch_at)} (${TIME_ZONE})`;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [KINDS[place.kind] ?? t`Address`, place.address],
    ...(place.user === '' ? [] : [[t`User`, place.user] as const]),
    ...(place.query === ''
      ? []
      : [
          [
            t`Query`,
            <Code key="query" block>
              {place.query}
            </Code>,
          ] as const,
        ]),
    [t`Last fetch`, last === undefined ? t`never` : <LastFetch key="last" fetch={last} />],
    [t`Next fetch`, next],
    ...(datasource.updating ? [[t`Now`, now] as const] : []),
  ];
  return (
    <Table variant="vertical" layout="fixed" withTableBorder className="card" aria-label={t`Where it comes from`}>
      <Table.Tbody>
        {facts.map(([what, fact]) => (
          <Table.Tr key={what}>
            <Table.Th w={{ base: 120, sm: 200 }}>{what}</Table.Th>
            <Table.Td className="numbers" style={{ overflowWrap: 'anywhere' }}>
              {fact}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const WEEKLY = 'weekly';

/** How often it is fetched by itself; a time of day is saved when it is whole. */
function Turns({ datasource: { id }, place }: SectionProps): ReactNode {
  const changed = useChanged();
  const [weekly, setWeekly] = useState(place.at);
  const change = useChange({
    change: (rhythm: { readonly every_minutes: number } | { readonly at: WeeklyTime }) =>
      call(api.PATCH('/api/v1/secure/datasource/place', { body: { id, ...rhythm } })),
    says: t`Saved.`,
    done: changed,
    problem: t`It was not saved`,
  });
  const value = weekly === null ? String(place.every_minutes ?? 0) : WEEKLY;
  const known = TURNS.map((turn) => ({ value: turn.value, label: i18n._(turn.label) }));
  const own = known.some((turn) => turn.value === value) ? [] : [{ value, label: t`Every ${value} minutes` }];
  return (
    <Stack gap="sm" align="flex-start">
      <NativeSelect
        label={t`Fetched again`}
        description={t`All or nothing: the current rows stay until all new ones are there.`}
        maw={420}
        data={[...known, ...own]}
        value={value}
        disabled={change.isPending}
        onChange={({ currentTarget }) => {
          setWeekly(currentTarget.value === WEEKLY ? SOME_TIME : null);
          if (currentTarget.value !== WEEKLY) change.mutate({ every_minutes: Number(currentTarget.value) });
        }}
      />
      {weekly !== null && (
        <>
          <WeeklyTimeFields value={weekly} onChange={setWeekly} />
          <Button
            variant="default"
            disabled={weekly.days.length === 0 || weekly.time === ''}
            {...begins(change, { at: weekly })}
          >
            {t`Save`}
          </Button>
        </>
      )}
    </Stack>
  );
}

const OUTCOMES: Readonly<Record<string, MessageDescriptor>> = {
  done: msg`Done`,
  failed: msg`Failed`,
  stopped: msg`Stopped`,
  unchanged: msg`Unchanged`,
};
const COLORS: Readonly<Record<string, string>> = { done: 'teal', failed: 'red', stopped: 'gray', unchanged: 'gray' };

function Outcome({ fetch: { status } }: { readonly fetch: Fetch }): ReactNode {
  const outcome = OUTCOMES[status];
  return (
    <Badge variant="dot" miw="max-content" color={COLORS[status] ?? 'gray'}>
      {outcome === undefined ? status : i18n._(outcome)}
    </Badge>
  );
}

function LastFetch({ fetch }: { readonly fetch: Fetch }): ReactNode {
  return (
    <Group gap="sm">
      {ago(fetch.finished_at)}
      <Outcome fetch={fetch} />
    </Group>
  );
}

function Fetches({ fetches }: { readonly fetches: readonly Fetch[] }): ReactNode {
  return (
    <Table.ScrollContainer minWidth={520}>
      <Table withTableBorder className="card" aria-label={t`Fetches`}>
        <TableHead names={[t`Fetched`, t`Outcome`, t`Rows`, t`What changed`]} />
        <Table.Tbody>
          {fetches.map((fetch) => (
            <Table.Tr key={fetch.finished_at}>
              <Table.Td title={moment(fetch.finished_at)}>{ago(fetch.finished_at)}</Table.Td>
              <Table.Td>
                <Outcome fetch={fetch} />
              </Table.Td>
              <Table.Td className="numbers">
                {fetch.rows_before === fetch.rows_after
                  ? whole(fetch.rows_after)
                  : `${whole(fetch.rows_before)} → ${whole(fetch.rows_after)}`}
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Text size="sm">{changesOf(fetch)}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function changesOf(fetch: Fetch): string {
  if (fetch.status === 'failed') return sentence(fetch.error ?? t`no reason was given`);
  const added = fetch.columns_added.join(', ');
  const gone = fetch.columns_gone.join(', ');
  const parts = [
    ...(added === '' ? [] : [t`New columns: ${added}`]),
    ...(gone === '' ? [] : [t`Removed columns: ${gone}`]),
    ...(fetch.rejected === 0 ? [] : [plural(fetch.rejected, { one: '# line skipped', other: '# lines skipped' })]),
  ];
  return parts.join(' · ');
}
