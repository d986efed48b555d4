import { msg, t } from '@lingui/core/macro';
import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react/macro';
import {
  Button,
  Code,
  Group,
  PasswordInput,
  Select,
  Skeleton,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useUser } from '../../app/session.js';
import { useChange } from '../../shared/use-change.js';
import type { Wire } from '../../shared/wire.js';
import { begins, switchField, textField, type Draft, useDraft } from '../../ui/form.js';
import { Failure, Loaded } from '../../ui/states.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import classes from './company.module.css';

type Shown = Wire['SignInProviderResponse'];
/** Domains are typed as one text. */
type Provider = Omit<Wire['SignInProviderBody'], 'domains'> & { readonly domains: string };

const SIGN_IN = ['sign-in'] as const;
const ROLES = [
  { value: 'user', label: msg`User` },
  { value: 'manager', label: msg`Manager` },
];

const signInQuery = queryOptions({
  queryKey: SIGN_IN,
  queryFn: ({ signal }) => call(api.GET('/api/v1/secure/sign-in', { signal })),
});

/** The OpenID Connect provider with which the company's people sign in. */
export function SignInSettings(): ReactNode {
  const query = useQuery(signInQuery);
  return (
    <section className={`card ${classes.part ?? ''}`} aria-labelledby="sign-in-settings">
      <Stack gap="md">
        <Title order={2} id="sign-in-settings">
          {t`Sign-in with your company`}
        </Title>
        <Text size="sm" c="dimmed">
          <Trans>
            People sign in with the accounts that they have at your company, through OpenID Connect: Microsoft Entra,
            Google Workspace, Okta, Keycloak and others. Passwords keep working.
          </Trans>
        </Text>
        <Loaded query={query} skeleton={<Skeleton h={320} />}>
          {(shown) =>
            shown.redirect_uri === null ? (
              <Text size="sm">
                <Trans>
                  Whoever runs this service has to set its address first, in the variable <Code>PUBLIC_URL</Code>.
                </Trans>
              </Text>
            ) : (
              <ProviderForm key={shown.provider?.updated_at ?? ''} shown={shown} redirectUri={shown.redirect_uri} />
            )
          }
        </Loaded>
      </Stack>
    </section>
  );
}

const NO_PROVIDER: Provider = {
  issuer: '',
  client_id: '',
  client_secret: '',
  domains: '',
  default_role: 'user',
  admits_unknown: false,
};

function draftOf({ updated_at: _at, default_role: role, ...provider }: NonNullable<Shown['provider']>): Provider {
  return {
    ...provider,
    domains: provider.domains.join(', '),
    client_secret: '',
    default_role: role === 'manager' ? 'manager' : 'user',
  };
}

interface ProviderFormProps {
  readonly shown: Shown;
  readonly redirectUri: string;
}

function ProviderForm({ shown: { provider }, redirectUri }: ProviderFormProps): ReactNode {
  const { company_id: companyId } = useUser();
  const stored = provider === null ? NO_PROVIDER : draftOf(provider);
  const form = useDraft<Provider>(stored);
  useUnsaved(JSON.stringify(form.draft) !== JSON.stringify(stored));
  const save = useChange({
    change: ({ client_secret: secret, domains, ...rest }: Provider) => {
      const names = domains.split(/[\s,;]+/).filter((name) => name !== '');
      const body = { ...rest, domains: names, client_secret: secret === '' ? null : (secret ?? null) };
      return call(api.PUT('/api/v1/secure/sign-in', { body }));
    },
    says: t`The sign-in was saved.`,
    stale: [SIGN_IN],
  });
  const remove = useChange({
    change: () => call(api.DELETE('/api/v1/secure/sign-in')),
    says: t`People sign in with passwords only now.`,
    stale: [SIGN_IN],
  });
  return (
    <form
      aria-label={t`Sign-in with your company`}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(form.draft);
      }}
    >
      <Stack gap="md">
        <div>
          <Text size="sm" fw={500}>
            {t`Address to register at your provider (redirect URI)`}
          </Text>
          <Code block className={classes.address}>
            {redirectUri}
          </Code>
        </div>
        <ProviderFields {...form} isNew={provider === null} />
        {provider !== null && (
          <Text size="sm">
            {t`A link that leads straight to it:`}{' '}
            <Code>{`${new URL(redirectUri).origin}/sign-in?company=${companyId}`}</Code>
          </Text>
        )}
        {save.error !== null && <Failure error={save.error} title={t`It was not saved`} />}
        {remove.error !== null && <Failure error={remove.error} title={t`It was not removed`} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t`Save`}
          </Button>
          {provider !== null && (
            <Button variant="outline" color="red" {...begins(remove)}>
              {t`Remove`}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function ProviderFields({ draft, change, field, isNew }: Draft<Provider> & { readonly isNew: boolean }): ReactNode {
  return (
    <>
      <TextInput
        type="url"
        label={t`Issuer`}
        description={t`Your provider’s issuer URL`}
        placeholder="https://login.example.com"
        required
        withAsterisk={false}
        {...textField(field('issuer'))}
      />
      <TextInput label={t`Client ID`} required withAsterisk={false} {...textField(field('client_id'))} />
      <PasswordInput
        label={t`Client secret`}
        description={isNew ? undefined : t`Leave empty to keep the current one. It is never shown`}
        autoComplete="new-password"
        required={isNew}
        withAsterisk={false}
        value={draft.client_secret ?? ''}
        onChange={({ currentTarget }) => {
          change({ client_secret: currentTarget.value });
        }}
      />
      <TextInput
        label={t`Domains of your email addresses`}
        description={t`Separated by commas. Other addresses are refused`}
        placeholder="example.com"
        required
        withAsterisk={false}
        {...textField(field('domains'))}
      />
      <Switch
        label={t`Let in everyone the provider knows`}
        description={t`Otherwise only members and invited people`}
        {...switchField(field('admits_unknown'))}
      />
      {draft.admits_unknown && (
        <Select
          label={t`Their role`}
          data={ROLES.map(({ value, label }) => ({ value, label: i18n._(label) }))}
          allowDeselect={false}
          value={draft.default_role}
          onChange={(role) => {
            change({ default_role: role === 'manager' ? 'manager' : 'user' });
          }}
        />
      )}
    </>
  );
}
