import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Badge, Button, Group, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../../app/client.js';
import { moment, whole } from '../../../shared/format.js';
import { keys } from '../../../shared/keys.js';
import { datasourceListQuery } from '../../../shared/queries.js';
import { told } from '../../../shared/toast.js';
import { useChange } from '../../../shared/use-change.js';
import type { Datasource, Wire } from '../../../shared/wire.js';
import { IconArrowsJoin, IconSearch } from '../../../ui/icons.js';
import { Empty, Failure, Loaded } from '../../../ui/states.js';

type Relation = Wire['RelationView'];

function relationsQuery(id: string) {
  return queryOptions({
    queryKey: keys.relationsOf(id),
    queryFn: ({ signal }) =>
      call(api.GET('/api/v1/secure/relations', { params: { query: { datasource_id: id, page_size: 100 } }, signal })),
  });
}

/** How the rows of this datasource belong to those of others: what was measured, and what people say of it. */
export default function RelationsTab({ datasource: { id } }: { readonly datasource: Datasource }): ReactNode {
  const query = useQuery(relationsQuery(id));
  return (
    <Stack gap="lg">
      <Text c="dimmed" maw={640}>
        <Trans>
          Questions about several datasources join their rows along confirmed relations. Values are measured on all
          rows, and a person confirms what belongs together.
        </Trans>
      </Text>
      <Find id={id} />
      <Loaded query={query} skeleton={<Skeleton h={240} />}>
        {({ relations }) => (relations.length === 0 ? <NoneYet /> : <List relations={relations} />)}
      </Loaded>
    </Stack>
  );
}

function NoneYet(): ReactNode {
  return (
    <Empty icon={IconArrowsJoin} title={t`No relations yet`}>
      {t`Choose another datasource to see how its rows relate to these.`}
    </Empty>
  );
}

function List({ relations }: { readonly relations: readonly Relation[] }): ReactNode {
  return (
    <Stack component="section" aria-label={t`Relations`} gap="md">
      {relations.map((relation) => (
        <Card key={relation.id} relation={relation} />
      ))}
    </Stack>
  );
}

const SEARCH_AFTER_MS = 200;

/** Measures this datasource with another. */
function Find({ id }: { readonly id: string }): ReactNode {
  const [other, setOther] = useState<string | null>(null);
  const [search, setSearch] = useState('');
  const [looked] = useDebouncedValue(search, SEARCH_AFTER_MS);
  const found = useQuery(datasourceListQuery(looked.trim(), 0));
  const options = (found.data?.datasources ?? []).filter((one) => one.id !== id);
  const find = useChange({
    change: (second: string) =>
      call(api.POST('/api/v1/secure/relations/propose', { body: { datasource_ids: [id, second] } })),
    done: ({ total }) => {
      if (total > 0) told(t`The relations were measured.`);
    },
    stale: [keys.relations],
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (other !== null) find.mutate(other);
      }}
    >
      <Group align="flex-end" gap="sm">
        <Select
          label={t`Other datasource`}
          placeholder={t`Search by name`}
          searchable
          w={280}
          maw="100%"
          nothingFoundMessage={t`No datasource by that name.`}
          onSearchChange={setSearch}
          filter={({ options: all }) => all}
          data={options.map((one) => ({ value: one.id, label: one.name }))}
          value={other}
          onChange={setOther}
        />
        <Button type="submit" loading={find.isPending} disabled={other === null} leftSection={<IconSearch />}>
          {t`Find relations`}
        </Button>
      </Group>
      {find.error !== null && <Failure error={find.error} title={t`The relations could not be measured`} />}
      {find.data?.total === 0 && (
        <Alert color="yellow" mt="sm" title={t`Nothing found`}>
          {t`No columns with similar names have values in common.`}
        </Alert>
      )}
    </form>
  );
}

const STATES: Readonly<Record<string, { readonly label: MessageDescriptor; readonly color: string }>> = {
  proposed: { label: msg`Proposed`, color: 'yellow' },
  confirmed: { label: msg`Confirmed`, color: 'teal' },
  dismissed: { label: msg`Dismissed`, color: 'gray' },
};

function Card({ relation }: { readonly relation: Relation }): ReactNode {
  const { left, right, state, overlap, examples, missing, measured_at: measured, decidable } = relation;
  const shown = STATES[state];
  return (
    <section className="card" aria-label={`${left.datasource_name} – ${right.datasource_name}`}>
      <Stack gap="sm" p="md">
        <Group justify="space-between" gap="xs">
          <Title order={3} size="h4">
            {left.datasource_name} – {right.datasource_name}
          </Title>
          {shown !== undefined && (
            <Badge variant="dot" color={shown.color}>
              {i18n._(shown.label)}
            </Badge>
          )}
        </Group>
        <Text>{left.columns.map((name, at) => `${name} = ${right.columns[at] ?? ''}`).join(', ')}</Text>
        <Text>{cardinalityWords(relation)}</Text>
        <Text size="sm" c="dimmed" className="numbers">
          <Trans>
            {whole(overlap)} % of the values are in both. {whole(left.paired)} of {whole(left.rows)} rows of{' '}
            {left.datasource_name} and {whole(right.paired)} of {whole(right.rows)} rows of {right.datasource_name} have
            a match.
          </Trans>{' '}
          {t`Measured ${moment(measured)}.`}
        </Text>
        {examples.length > 0 && <Values label={t`In both`} values={examples} />}
        {missing.length > 0 && <Values label={t`Only in ${left.datasource_name}`} values={missing} />}
        {decidable && <Decide relation={relation} />}
      </Stack>
    </section>
  );
}

/** In words, from both sides. */
function cardinalityWords({ left, right, cardinality }: Relation): string {
  const [one, two] = [left.datasource_name, right.datasource_name];
  switch (cardinality) {
    case 'one-one':
      return t`Each row of ${one} has at most one row in ${two}, and the other way round.`;
    case 'many-one':
      return t`Each row of ${one} has at most one row in ${two}; a row of ${two} can have several in ${one}.`;
    case 'one-many':
      return t`Each row of ${two} has at most one row in ${one}; a row of ${one} can have several in ${two}.`;
    default:
      return t`Rows of ${one} and ${two} can have several matches in the other: joining them multiplies rows.`;
  }
}

function Values({ label, values }: { readonly label: string; readonly values: readonly string[] }): ReactNode {
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      {values.map((value) => (
        <Badge key={value} variant="default" tt="none" fw={400} maw={200}>
          {value}
        </Badge>
      ))}
    </Group>
  );
}

function Decide({ relation: { id, state } }: { readonly relation: Relation }): ReactNode {
  const decide = useChange({
    change: (what: 'confirm' | 'dismiss' | 'delete'): Promise<unknown> => {
      if (what === 'delete') return call(api.DELETE('/api/v1/secure/relations', { body: { id } }));
      return what === 'confirm'
        ? call(api.POST('/api/v1/secure/relations/confirm', { body: { id } }))
        : call(api.POST('/api/v1/secure/relations/dismiss', { body: { id } }));
    },
    stale: [keys.relations],
    problem: t`The relation was not changed`,
  });
  return (
    <Group gap="sm">
      {state !== 'confirmed' && (
        <Button
          size="compact-sm"
          disabled={decide.isPending}
          onClick={() => {
            decide.mutate('confirm');
          }}
        >
          {t`Confirm`}
        </Button>
      )}
      {state !== 'dismissed' && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={decide.isPending}
          onClick={() => {
            decide.mutate('dismiss');
          }}
        >
          {t`Dismiss`}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        disabled={decide.isPending}
        onClick={() => {
          decide.mutate('delete');
        }}
      >
        {t`Delete`}
      </Button>
    </Group>
  );
}
