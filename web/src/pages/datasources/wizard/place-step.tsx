import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Button,
  Checkbox,
  Group,
  Loader,
  NativeSelect,
  PasswordInput,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconFileCheck } from '@tabler/icons-react';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { api, call } from '../../../app/client.js';
import { bytes } from '../../../shared/format.js';
import type { FetchPlace, Upload } from '../../../shared/wire.js';
import { Failure } from '../../../ui/states.js';

export type PlaceSource = 'https' | 's3' | 'database';

interface PlaceStepProps {
  readonly source: PlaceSource;
  /** The fetched file, or null when there is none any more. */
  readonly onFetched: (upload: Upload | null) => void;
}

/** Saying where a table is, and fetching it. */
export function PlaceStep({ source, onFetched }: PlaceStepProps): ReactNode {
  const [place, setPlace] = useState<FetchPlace>(() => emptyPlace(source));
  const [fetched, setFetched] = useState<Upload | null>(null);
  const { fetching, stop } = useFetch((upload) => {
    setFetched(upload);
    onFetched(upload);
  });
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    fetching.mutate(place);
  }
  if (fetched !== null) {
    return (
      <Fetched
        upload={fetched}
        onReset={() => {
          setFetched(null);
          onFetched(null);
        }}
      />
    );
  }
  const fields = { place, onChange: setPlace };
  return (
    <Stack component="form" gap="sm" maw={640} onSubmit={submit}>
      {source === 'https' && <AddressFields {...fields} />}
      {source === 's3' && <S3Fields {...fields} />}
      {source === 'database' && <DatabaseFields {...fields} />}
      {fetching.error !== null && <Failure error={fetching.error} title={t`Nothing was fetched`} />}
      <Group>
        <Button type="submit" loading={fetching.isPending} loaderProps={{ children: <Loader size="xs" /> }}>
          <Trans>Fetch</Trans>
        </Button>
        {fetching.isPending && (
          <>
            <Button variant="default" onClick={stop}>
              <Trans>Stop</Trans>
            </Button>
            <Text size="sm" c="dimmed" role="status">
              <Trans>Fetching the data and reading its columns…</Trans>
            </Text>
          </>
        )}
      </Group>
    </Stack>
  );
}

function useFetch(onFetched: (upload: Upload) => void): {
  readonly fetching: UseMutationResult<Upload, Error, FetchPlace>;
  readonly stop: () => void;
} {
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const fetching = useMutation({
    mutationFn: (place: FetchPlace): Promise<Upload> => {
      running.current = new AbortController();
      return call(api.POST('/api/v1/secure/datasource/fetch', { body: place, signal: running.current.signal }));
    },
    onSuccess: onFetched,
  });
  function stop(): void {
    running.current?.abort();
    fetching.reset();
  }
  return { fetching, stop };
}

function emptyPlace(source: PlaceSource): FetchPlace {
  return { kind: source === 'database' ? 'postgresql' : source, address: '' };
}

interface FieldsProps {
  readonly place: FetchPlace;
  readonly onChange: (place: FetchPlace) => void;
}

function AddressFields({ place, onChange }: FieldsProps): ReactNode {
  return (
    <>
      <Field
        name="address"
        label={t`Address`}
        placeholder="https://example.com/sales.csv"
        required
        {...{ place, onChange }}
      />
      <Secret
        label={t`Authorization header`}
        description={t`Only if the address asks for one, such as “Bearer …”. It is kept encrypted and never shown again.`}
        {...{ place, onChange }}
      />
    </>
  );
}

function S3Fields({ place, onChange }: FieldsProps): ReactNode {
  return (
    <>
      <Field
        name="address"
        label={t`Object`}
        description={t`Of Amazon, or s3+https://host/bucket/sales.csv of any other storage that speaks S3.`}
        placeholder="s3://bucket/sales.csv?region=eu-central-1"
        required
        {...{ place, onChange }}
      />
      <Field name="user" label={t`Access key`} description={t`Empty: the object is public.`} {...{ place, onChange }} />
      <Secret
        label={t`Secret access key`}
        description={t`It is kept encrypted and never shown again.`}
        {...{ place, onChange }}
      />
    </>
  );
}

/* eslint-disable lingui/no-unlocalized-strings -- names of products, and SQL */
const DATABASES = [
  { value: 'postgresql', label: 'PostgreSQL' },
  { value: 'mysql', label: 'MySQL / MariaDB' },
] as const;
const EXAMPLE = 'SELECT store, sold_at, amount FROM sales';
/* eslint-enable lingui/no-unlocalized-strings */

function DatabaseFields({ place, onChange }: FieldsProps): ReactNode {
  const { kind, address } = place;
  const [server = '', database = ''] = address.replace(/^[a-z]+:\/\//, '').split('/');
  function setPart(part: {
    readonly kind?: FetchPlace['kind'];
    readonly server?: string;
    readonly database?: string;
  }): void {
    const next = { kind, server, database, ...part };
    onChange({ ...place, kind: next.kind, address: `${next.kind}://${next.server}/${next.database}` });
  }
  return (
    <>
      <NativeSelect
        label={t`Database system`}
        data={[...DATABASES]}
        value={kind}
        onChange={({ currentTarget }) => {
          setPart({ kind: DATABASES.find(({ value }) => value === currentTarget.value)?.value ?? kind });
        }}
      />
      <Group grow align="flex-start">
        <TextInput
          label={t`Server`}
          placeholder="db.example.com:5432"
          required
          withAsterisk={false}
          value={server}
          onChange={({ currentTarget }) => {
            setPart({ server: currentTarget.value.trim() });
          }}
        />
        <TextInput
          label={t`Database`}
          required
          withAsterisk={false}
          value={database}
          onChange={({ currentTarget }) => {
            setPart({ database: currentTarget.value.trim() });
          }}
        />
      </Group>
      <Group grow align="flex-start">
        <Field name="user" label={t`User`} required {...{ place, onChange }} />
        <Secret label={t`Password`} {...{ place, onChange }} />
      </Group>
      <Text size="sm" c="dimmed">
        <Trans>
          Use an account that can only read what is needed. The password is stored encrypted and never shown again.
        </Trans>
      </Text>
      <Textarea
        label={t`Query`}
        description={t`One SELECT. Its rows become the datasource, with their types.`}
        placeholder={EXAMPLE}
        required
        withAsterisk={false}
        autosize
        minRows={3}
        maxRows={16}
        maxLength={20_000}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={place.query ?? ''}
        onChange={({ currentTarget }) => {
          onChange({ ...place, query: currentTarget.value });
        }}
      />
      <EncryptionFields {...{ place, onChange }} />
    </>
  );
}

function EncryptionFields({ place, onChange }: FieldsProps): ReactNode {
  const isEncrypted = place.tls !== false;
  return (
    <>
      <Checkbox
        label={t`Encrypted connection`}
        description={t`Without it the service speaks only to networks that its operator allows.`}
        checked={isEncrypted}
        onChange={({ currentTarget }) => {
          onChange({ ...place, tls: currentTarget.checked });
        }}
      />
      {isEncrypted && (
        <Textarea
          label={t`Certificate authority`}
          description={t`PEM, when the server’s certificate comes from one of its own. Empty: one that every system trusts.`}
          autosize
          maxRows={6}
          value={place.ca ?? ''}
          onChange={({ currentTarget }) => {
            onChange({ ...place, ca: currentTarget.value });
          }}
        />
      )}
    </>
  );
}

interface FieldProps extends FieldsProps {
  readonly label: string;
  readonly description?: string;
}

function Field({
  name,
  place,
  onChange,
  required = false,
  ...shown
}: FieldProps & {
  readonly name: 'address' | 'user';
  readonly placeholder?: string;
  readonly required?: boolean;
}): ReactNode {
  return (
    <TextInput
      {...shown}
      required={required}
      withAsterisk={false}
      maxLength={2048}
      autoComplete="off"
      value={place[name] ?? ''}
      onChange={({ currentTarget }) => {
        onChange({ ...place, [name]: currentTarget.value.trim() });
      }}
    />
  );
}

function Secret({ place, onChange, ...shown }: FieldProps): ReactNode {
  return (
    <PasswordInput
      {...shown}
      autoComplete="new-password"
      maxLength={4096}
      value={place.secret ?? ''}
      onChange={({ currentTarget }) => {
        onChange({ ...place, secret: currentTarget.value });
      }}
    />
  );
}

function Fetched({ upload, onReset }: { readonly upload: Upload; readonly onReset: () => void }): ReactNode {
  const columns = new Set(upload.columns.flat().map((name) => name.toLowerCase())).size;
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <Group gap="xs" wrap="nowrap" miw={0}>
          <IconFileCheck size={20} stroke={1.6} aria-hidden />
          <Text fw={600} truncate>
            {upload.file}
          </Text>
        </Group>
        <Text size="sm" c="dimmed" mt={4}>
          {bytes(upload.size)} · {plural(columns, { one: '# column', other: '# columns' })}
        </Text>
      </div>
      <Button variant="default" size="xs" flex="none" onClick={onReset}>
        <Trans>Fetch something else</Trans>
      </Button>
    </Group>
  );
}
