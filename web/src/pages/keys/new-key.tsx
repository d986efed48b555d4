import {
  Alert,
  Button,
  Checkbox,
  Code,
  CopyButton,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useIsManager } from '../../app/session.js';
import type { Wire } from '../../shared/wire.js';
import { Failure } from '../../ui/states.js';
import { KEYS } from './keys.queries.js';
import classes from './keys.module.css';

type Body = Wire['CreateApiKeyBody'];
type Scope = Body['scopes'][number];

const SCOPES: readonly { readonly value: Scope; readonly label: string; readonly description: string }[] = [
  { value: 'read', label: 'Read', description: 'See datasources, rows, plots and files' },
  { value: 'ask', label: 'Ask', description: 'Ask the assistant questions' },
  { value: 'write', label: 'Write', description: 'Upload, insert, change, delete, run tasks' },
];
const ENDS = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'never', label: 'Never' },
];
const HOLDERS = [
  { value: 'me', label: 'Me: it does what I may' },
  { value: 'user', label: 'A service account, as a user' },
  { value: 'manager', label: 'A service account, as a manager' },
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
      aria-label="New key"
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate(draft);
      }}
    >
      <Stack gap="md">
        <Title order={2}>New key</Title>
        <Fields
          draft={draft}
          change={(changes) => {
            setDraft({ ...draft, ...changes });
          }}
        />
        {make.data !== undefined && <MadeKey name={make.data.api_key.name} secret={make.data.key} />}
        {make.error !== null && <Failure error={make.error} title="The key was not made" />}
        <Group>
          <Button type="submit" loading={make.isPending} disabled={draft.scopes.length === 0}>
            Make the key
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
          label="Name"
          placeholder="What it is for"
          required
          maxLength={100}
          value={draft.name}
          onChange={({ currentTarget }) => {
            change({ name: currentTarget.value });
          }}
        />
        <Select
          label="Expires"
          data={ENDS}
          allowDeselect={false}
          value={draft.end}
          onChange={(end) => {
            if (end !== null) change({ end });
          }}
        />
      </SimpleGrid>
      {isManager && (
        <Select
          label="Who uses it"
          description="A service account stays when people leave"
          data={HOLDERS}
          allowDeselect={false}
          value={draft.holder}
          onChange={(holder) => {
            if (holder !== null) change({ holder });
          }}
        />
      )}
      <Checkbox.Group
        label="What it may do"
        value={[...draft.scopes]}
        onChange={(chosen) => {
          change({ scopes: SCOPES.flatMap(({ value }) => (chosen.includes(value) ? [value] : [])) });
        }}
      >
        <SimpleGrid cols={{ base: 1, xs: 3 }} mt="xs">
          {SCOPES.map((scope) => (
            <Checkbox key={scope.value} {...scope} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
    </>
  );
}

function MadeKey({ name, secret }: { readonly name: string; readonly secret: string }): ReactNode {
  return (
    <Alert color="yellow" title={`Copy the key of “${name}” now: it is not shown again`}>
      <Stack gap="sm" align="flex-start">
        <Code className={classes.secret}>{secret}</Code>
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Text size="sm">
          Programs send it as <Code>Authorization: Bearer …</Code>, to the API and to{' '}
          <Code>{window.location.origin}/mcp</Code> (Model Context Protocol).
        </Text>
      </Stack>
    </Alert>
  );
}
