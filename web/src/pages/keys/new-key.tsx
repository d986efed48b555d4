import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Code, Group, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useIsManager } from '../../app/session.js';
import type { Wire } from '../../shared/wire.js';
import { ShownOnce } from '../../ui/shown-once.js';
import { Failure } from '../../ui/states.js';
import { KEYS, SCOPE_NAMES } from './keys.queries.js';
import classes from './keys.module.css';

type Body = Wire['CreateApiKeyBody'];
type Scope = Body['scopes'][number];

const SCOPES: readonly { readonly value: Scope; readonly description: MessageDescriptor }[] = [
  { value: 'read', description: msg`See datasources, rows, plots and files` },
  { value: 'ask', description: msg`Ask the assistant questions` },
  { value: 'write', description: msg`Upload, insert, change, delete, run tasks` },
];
const ENDS = [
  { value: '30', label: msg`In 30 days` },
  { value: '90', label: msg`In 90 days` },
  { value: '365', label: msg`In a year` },
  { value: 'never', label: msg`Never` },
];
const HOLDERS = [
  { value: 'me', label: msg`Me, with my own rights` },
  { value: 'user', label: msg`A service account with the rights of a user` },
  { value: 'manager', label: msg`A service account with the rights of a manager` },
];

interface Draft {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly end: string;
  readonly holder: string;
}

const EMPTY: Draft = { name: '', scopes: ['read', 'ask'], end: '90', holder: 'me' };

function bodyOf({ name, scopes, end, holder }: Draft): Body {
  return {
    name,
    scopes: [...scopes],
    ...(end === 'never' ? {} : { days: Number(end) }),
    ...(holder === 'user' || holder === 'manager' ? { service_account: { role: holder } } : {}),
  };
}

/** Makes a key and shows it, once. */
export function NewKey(): ReactNode {
  const queries = useQueryClient();
  const [draft, setDraft] = useState(EMPTY);
  const make = useMutation({
    mutationFn: (wanted: Draft) => call(api.POST('/api/v1/secure/api-keys', { body: bodyOf(wanted) })),
    onSuccess: () => {
      setDraft(EMPTY);
      return queries.invalidateQueries({ queryKey: KEYS });
    },
  });
  return (
    <form
      className={`card ${classes.part ?? ''}`}
      aria-label={t`New key`}
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate(draft);
      }}
    >
      <Stack gap="md">
        <Title order={2}>
          <Trans>New key</Trans>
        </Title>
        <Fields
          draft={draft}
          change={(changes) => {
            setDraft({ ...draft, ...changes });
          }}
        />
        {make.data !== undefined && <MadeKey name={make.data.api_key.name} secret={make.data.key} />}
        {make.error !== null && <Failure error={make.error} title={t`The key was not created`} />}
        <Group>
          <Button type="submit" loading={make.isPending} disabled={draft.scopes.length === 0}>
            <Trans>Create key</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
}

function Fields({ draft, change }: FieldsProps): ReactNode {
  const isManager = useIsManager();
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t`Name`}
          placeholder={t`What it is for`}
          required
          maxLength={100}
          value={draft.name}
          onChange={({ currentTarget }) => {
            change({ name: currentTarget.value });
          }}
        />
        <Select
          label={t`Expires`}
          data={ENDS.map(({ value, label }) => ({ value, label: i18n._(label) }))}
          allowDeselect={false}
          value={draft.end}
          onChange={(end) => {
            if (end !== null) change({ end });
          }}
        />
      </SimpleGrid>
      {isManager && (
        <Select
          label={t`Who uses it`}
          description={t`A service account stays when people leave the company`}
          data={HOLDERS.map(({ value, label }) => ({ value, label: i18n._(label) }))}
          allowDeselect={false}
          value={draft.holder}
          onChange={(holder) => {
            if (holder !== null) change({ holder });
          }}
        />
      )}
      <Checkbox.Group
        label={t`What it can do`}
        value={[...draft.scopes]}
        onChange={(chosen) => {
          change({ scopes: SCOPES.flatMap(({ value }) => (chosen.includes(value) ? [value] : [])) });
        }}
      >
        <SimpleGrid cols={{ base: 1, xs: 3 }} mt="xs">
          {SCOPES.map(({ value, description }) => (
            <Checkbox key={value} value={value} label={i18n._(SCOPE_NAMES[value])} description={i18n._(description)} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
    </>
  );
}

function MadeKey({ name, secret }: { readonly name: string; readonly secret: string }): ReactNode {
  return (
    <ShownOnce title={t`Copy the key “${name}” now. It is not shown again.`} secret={secret}>
      <Text size="sm">
        <Trans>
          Programs send it as <Code>Authorization: Bearer …</Code> to the API, or to{' '}
          <Code>{window.location.origin}/mcp</Code> for the Model Context Protocol.
        </Trans>
      </Text>
    </ShownOnce>
  );
}
