import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, Code, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useIsManager } from '../../app/session.js';
import { useChange } from '../../shared/use-change.js';
import type { Wire } from '../../shared/wire.js';
import { chosen, Form, textField, type Draft, useDraft } from '../../ui/form.js';
import { isRevoked, ShownOnce } from '../../ui/shown-once.js';
import { KEYS, keysQuery, SCOPE_NAMES } from './keys.queries.js';

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

interface Key {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly end: string;
  readonly holder: string;
}

const EMPTY: Key = { name: '', scopes: ['read', 'ask'], end: '90', holder: 'me' };

function bodyOf({ name, scopes, end, holder }: Key): Body {
  return {
    name,
    scopes: [...scopes],
    ...(end === 'never' ? {} : { days: Number(end) }),
    ...(holder === 'user' || holder === 'manager' ? { service_account: { role: holder } } : {}),
  };
}

/** Makes a key and shows it, once. */
export function NewKey(): ReactNode {
  const form = useDraft(EMPTY);
  const { draft, change } = form;
  const newest = useQuery(keysQuery(0));
  const make = useChange({
    change: (wanted: Key) => call(api.POST('/api/v1/secure/api-keys', { body: bodyOf(wanted) })),
    done: () => {
      change(EMPTY);
    },
    stale: [KEYS],
  });
  const made = make.data;
  const isShown =
    made !== undefined && !isRevoked(made.api_key, newest.error === null ? newest.data?.api_keys : undefined);
  return (
    <Form
      title={t`New key`}
      saving={make}
      problem={t`The key was not created`}
      action={t`Create key`}
      disabled={draft.scopes.length === 0}
      onSubmit={() => {
        make.mutate(draft);
      }}
    >
      <Fields {...form} />
      {isShown && <MadeKey name={made.api_key.name} secret={made.key} />}
    </Form>
  );
}

function Fields({ draft, change, field }: Draft<Key>): ReactNode {
  const isManager = useIsManager();
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t`Name`}
          placeholder={t`What it is for`}
          required
          maxLength={100}
          {...textField(field('name'))}
        />
        <Select
          label={t`Expires`}
          data={ENDS.map(({ value, label }) => ({ value, label: i18n._(label) }))}
          allowDeselect={false}
          value={draft.end}
          onChange={chosen(field('end').onChange)}
        />
      </SimpleGrid>
      {isManager && (
        <Select
          label={t`Who uses it`}
          description={t`A service account stays when people leave the company`}
          data={HOLDERS.map(({ value, label }) => ({ value, label: i18n._(label) }))}
          allowDeselect={false}
          value={draft.holder}
          onChange={chosen(field('holder').onChange)}
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
