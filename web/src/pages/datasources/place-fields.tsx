import { t } from '@lingui/core/macro';
import { Checkbox, Group, NativeSelect, PasswordInput, Text, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FetchPlace } from '../../shared/wire.js';

export type PlaceSource = 'https' | 's3' | 'database';

export function emptyPlace(source: PlaceSource): FetchPlace {
  return { kind: source === 'database' ? 'postgresql' : source, address: '' };
}

interface FieldsProps {
  readonly place: FetchPlace;
  readonly onChange: (place: FetchPlace) => void;
  /** There is one already: its kind stays, and what is never shown stays where nothing is written. */
  readonly isKept?: boolean;
}

/** Where a table is, and all that it takes to fetch it. */
export function PlaceFields({ source, ...fields }: FieldsProps & { readonly source: PlaceSource }): ReactNode {
  switch (source) {
    case 'https':
      return <AddressFields {...fields} />;
    case 's3':
      return <S3Fields {...fields} />;
    case 'database':
      return <DatabaseFields {...fields} />;
  }
}

function AddressFields(fields: FieldsProps): ReactNode {
  return (
    <>
      <Field name="address" label={t`Address`} placeholder="https://example.com/sales.csv" required {...fields} />
      <Secret
        label={t`Authorization header`}
        description={t`Only if the address asks for one, such as “Bearer …”. It is kept encrypted and never shown again.`}
        {...fields}
      />
    </>
  );
}

function S3Fields(fields: FieldsProps): ReactNode {
  return (
    <>
      <Field
        name="address"
        label={t`Object`}
        description={t`Of Amazon, or s3+https://host/bucket/sales.csv of any other storage that speaks S3.`}
        placeholder="s3://bucket/sales.csv?region=eu-central-1"
        required
        {...fields}
      />
      <Field name="user" label={t`Access key`} description={t`Empty: the object is public.`} {...fields} />
      <Secret label={t`Secret access key`} description={t`It is kept encrypted and never shown again.`} {...fields} />
    </>
  );
}

/* oxlint-disable lingui/no-unlocalized-strings -- names of products, and SQL */
const DATABASES = [
  { value: 'postgresql', label: 'PostgreSQL' },
  { value: 'mysql', label: 'MySQL / MariaDB' },
] as const;
const EXAMPLE = 'SELECT store, sold_at, amount FROM sales';
/* oxlint-enable lingui/no-unlocalized-strings */

function DatabaseFields(fields: FieldsProps): ReactNode {
  const { place, onChange, isKept = false } = fields;
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
        disabled={isKept}
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
        <Field name="user" label={t`User`} required {...fields} />
        <Secret label={t`Password`} {...fields} />
      </Group>
      <Text size="sm" c="dimmed">
        {t`Use an account that can only read what is needed. The password is stored encrypted and never shown again.`}
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
      <EncryptionFields {...fields} />
    </>
  );
}

function EncryptionFields({ place, onChange, isKept = false }: FieldsProps): ReactNode {
  const isEncrypted = place.tls !== false;
  return (
    <>
      {!isKept && (
        <Checkbox
          label={t`Encrypted connection`}
          description={t`Without it the service speaks only to networks that its operator allows.`}
          checked={isEncrypted}
          onChange={({ currentTarget }) => {
            onChange({ ...place, tls: currentTarget.checked });
          }}
        />
      )}
      {isEncrypted && (
        <Textarea
          label={t`Certificate authority`}
          description={
            isKept
              ? t`PEM. Leave it empty to keep the current one.`
              : t`PEM, when the server’s certificate comes from one of its own. Empty: one that every system trusts.`
          }
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
  isKept: _isKept,
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

function Secret({ place, onChange, isKept = false, ...shown }: FieldProps): ReactNode {
  return (
    <PasswordInput
      {...shown}
      {...(isKept ? { description: t`Leave it empty to keep the current one. A new address needs it again.` } : {})}
      autoComplete="new-password"
      maxLength={4096}
      value={place.secret ?? ''}
      onChange={({ currentTarget }) => {
        onChange({ ...place, secret: currentTarget.value });
      }}
    />
  );
}
