import { t } from '@lingui/core/macro';
import {
  Badge,
  NativeSelect,
  PasswordInput,
  SimpleGrid,
  Skeleton,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useUser } from '../../app/session.js';
import { ago, moment } from '../../shared/format.js';
import { LANGUAGE, LANGUAGE_KEY, LANGUAGES } from '../../shared/language.js';
import { useChange } from '../../shared/use-change.js';
import type { Wire } from '../../shared/wire.js';
import { Form, textField, useDraft } from '../../ui/form.js';
import { IconButton } from '../../ui/icon-button.js';
import { IconLogout } from '../../ui/icons.js';
import { Page } from '../../ui/page.js';
import { Loaded } from '../../ui/states.js';
import { TableHead } from '../../ui/table-head.js';

type Session = Wire['SessionView'];

const SESSIONS = ['sessions'] as const;

const sessionsQuery = queryOptions({
  queryKey: SESSIONS,
  queryFn: ({ signal }) => call(api.GET('/api/v1/secure/currentuser/sessions', { signal })),
});

/** One's own name, password, and where one is signed in. */
export function AccountPage(): ReactNode {
  const { email } = useUser();
  return (
    <Page title={t`Your account`} subtitle={email}>
      <Stack gap="lg" maw={820}>
        <NameForm />
        <LanguageForm />
        <PasswordForm />
        <Sessions />
      </Stack>
    </Page>
  );
}

function NameForm(): ReactNode {
  const user = useUser();
  const { draft: names, field } = useDraft({ first: user.first_name, last: user.last_name });
  const save = useChange({
    change: () =>
      call(api.PATCH('/api/v1/secure/currentuser', { body: { first_name: names.first, last_name: names.last } })),
    says: t`Your name was saved. It shows everywhere after your next sign-in.`,
  });
  return (
    <Form title={t`Name`} saving={save} problem={t`The name was not saved`} action={t`Save`} onSubmit={save.mutate}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t`First name`} autoComplete="given-name" maxLength={100} {...textField(field('first'))} />
        <TextInput label={t`Last name`} autoComplete="family-name" maxLength={100} {...textField(field('last'))} />
      </SimpleGrid>
    </Form>
  );
}

function LanguageForm(): ReactNode {
  return (
    <Stack component="section" className="card" gap="md" p="lg" aria-label={t`Language`}>
      <Title order={2}>{t`Language`}</Title>
      <NativeSelect
        label={t`Language of the pages`}
        description={t`Answers of the built-in analyst and messages of the service are in English.`}
        inputWrapperOrder={['label', 'input', 'description']}
        maw={320}
        data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
        value={LANGUAGE}
        onChange={({ currentTarget }) => {
          localStorage.setItem(LANGUAGE_KEY, currentTarget.value);
          window.location.reload();
        }}
      />
    </Stack>
  );
}

const NO_PASSWORDS = { current: '', next: '' };

function PasswordForm(): ReactNode {
  const { draft: passwords, change: setPasswords, field } = useDraft(NO_PASSWORDS);
  const change = useChange({
    change: () =>
      call(
        api.POST('/api/v1/secure/currentuser/password', {
          body: { current_password: passwords.current, new_password: passwords.next },
        }),
      ),
    says: t`Your password was changed. You are signed out everywhere else.`,
    done: () => {
      setPasswords(NO_PASSWORDS);
    },
    stale: [SESSIONS],
  });
  return (
    <Form
      title={t`Password`}
      saving={change}
      problem={t`The password was not changed`}
      action={t`Change password`}
      onSubmit={change.mutate}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <PasswordInput
          label={t`Current password`}
          autoComplete="current-password"
          required
          withAsterisk={false}
          {...textField(field('current'))}
        />
        <PasswordInput
          label={t`New password`}
          description={t`At least 8 characters`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="new-password"
          required
          withAsterisk={false}
          minLength={8}
          {...textField(field('next'))}
        />
      </SimpleGrid>
    </Form>
  );
}

function Sessions(): ReactNode {
  const query = useQuery(sessionsQuery);
  return (
    <Stack gap="sm">
      <Title order={2}>{t`Where you are signed in`}</Title>
      <Loaded query={query} skeleton={<Skeleton h={160} />}>
        {({ sessions }) => (
          <div className="card">
            <Table verticalSpacing="sm" horizontalSpacing="md">
              <TableHead names={[t`Browser or program`, t`Signed in`]} actions={t`End`} />
              <Table.Tbody>
                {sessions.map((session) => (
                  <SessionLine key={session.id} session={session} />
                ))}
              </Table.Tbody>
            </Table>
          </div>
        )}
      </Loaded>
    </Stack>
  );
}

function SessionLine({ session }: { readonly session: Session }): ReactNode {
  const { id, agent, address, created_at: created, last_used_at: used, is_current: isCurrent } = session;
  const end = useChange({
    change: () => call(api.DELETE('/api/v1/secure/currentuser/sessions/{id}', { params: { path: { id } } })),
    says: t`The session was ended.`,
    stale: [SESSIONS],
  });
  const program = programOf(agent);
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600} title={agent}>
          {program} {isCurrent && <Badge variant="light">{t`This session`}</Badge>}
        </Text>
        <Text size="sm" c="dimmed">
          {address}
        </Text>
      </Table.Td>
      <Table.Td title={moment(created)}>
        <Text size="sm">{ago(created)}</Text>
        <Text size="sm" c="dimmed">
          {used === null ? '' : t`last active ${ago(used)}`}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        {!isCurrent && (
          <IconButton
            icon={IconLogout}
            tip={t`End this session`}
            label={t`End the session of ${program}`}
            loading={end.isPending}
            onClick={end.mutate}
          />
        )}
      </Table.Td>
    </Table.Tr>
  );
}

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** `Firefox on Windows`; of other programs what they call themselves. */
function programOf(agent: string): string {
  const browser = BROWSERS.find(([mark]) => agent.includes(mark))?.[1];
  const system = SYSTEMS.find(([mark]) => agent.includes(mark))?.[1];
  if (browser !== undefined && system !== undefined) return t`${browser} on ${system}`;
  return agent === '' ? t`Unknown program` : agent.slice(0, 60);
}
