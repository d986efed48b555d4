import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Alert as Notice, Badge, Button, Code, Group, Modal, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useIsManager, useUserId } from '../../app/session.js';
import { ago, figure, moment, sentence, TIME_ZONE } from '../../shared/format.js';
import { datasourceQuery } from '../../shared/queries.js';
import { told } from '../../shared/toast.js';
import { useChange } from '../../shared/use-change.js';
import { DeleteDialog, type DialogProps } from '../../ui/delete-dialog.js';
import { begins } from '../../ui/form.js';
import { IconPlayerPause, IconPlayerPlay, IconRefresh, IconTrash } from '../../ui/icons.js';
import { MailLine } from '../../ui/mail-line.js';
import { isMissing, Missing } from '../../ui/not-found.js';
import { Page } from '../../ui/page.js';
import { Failure, Loaded } from '../../ui/states.js';
import { rhythmWords } from '../tasks/task-words.js';
import classes from '../tasks/tasks.module.css';
import { AlertForm, alertBodyOf, type AlertDraft } from './alert-form.js';
import { ALERT_STATES, alertConditionWords, EVENT_KINDS } from './alert-words.js';
import { alertKeys, alertQuery, checkedNow, historyQuery, type Alert, type AlertEvent } from './alerts.queries.js';

/** One alert: what it watches, how it stands, and when it fired. */
export function AlertPage(): ReactNode {
  const { id } = useParams({ from: '/alerts/$id' });
  const query = useQuery(alertQuery(id));
  if (isMissing(query.error)) return <Missing title={t`This alert does not exist`} />;
  return (
    <Loaded query={query} skeleton={<Skeleton h={240} />}>
      {(alert) => <Opened alert={alert} />}
    </Loaded>
  );
}

function Opened({ alert }: { readonly alert: Alert }): ReactNode {
  const isManager = useIsManager();
  const mayChange = useUserId() === alert.created_by || isManager;
  const { label, color } = ALERT_STATES[alert.state];
  return (
    <Page
      title={alert.name}
      crumbs={[{ label: t`Alerts`, to: '/alerts' }]}
      subtitle={
        <Badge variant="dot" color={color}>
          {i18n._(label)}
        </Badge>
      }
      actions={<Actions alert={alert} mayChange={mayChange} />}
    >
      <Stack gap="lg">
        {alert.error !== null && (
          <Notice color="yellow" title={t`The last check failed`}>
            {sentence(alert.error)}
          </Notice>
        )}
        {alert.warnings.map((warning) => (
          <Notice key={warning} color="yellow">
            {warning}
          </Notice>
        ))}
        <Facts alert={alert} mayChange={mayChange} />
        <History id={alert.id} />
      </Stack>
    </Page>
  );
}

function Facts({ alert, mayChange }: { readonly alert: Alert; readonly mayChange: boolean }): ReactNode {
  const [opened, { open, close }] = useDisclosure();
  const datasource = useQuery(datasourceQuery(alert.datasource_id));
  const facts = factsOf(alert, datasource.data?.name ?? '…');
  return (
    <section className={`card ${classes.part ?? ''}`} aria-label={t`What is watched`}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <dl className={classes.facts}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {mayChange && (
          <Button variant="default" size="sm" onClick={open}>
            {t`Change`}
          </Button>
        )}
      </Group>
      <Modal opened={opened} onClose={close} title={t`Change the alert`} size="lg" centered>
        <AlertForm
          start={draftOf(alert)}
          action={t`Save`}
          save={async (draft) => {
            const { condition, ...rest } = alertBodyOf(draft);
            // Another condition begins anew; the same one must not.
            const isSame = JSON.stringify(condition) === JSON.stringify(alertBodyOf(draftOf(alert)).condition);
            const body = isSame ? rest : { ...rest, condition };
            const params = { path: { id: alert.id } };
            const { alert: changed } = await call(api.PATCH('/api/v1/secure/alerts/{id}', { params, body }));
            if (!isSame && changed.enabled) await checkedNow(changed);
            told(t`The alert was changed.`);
          }}
          onClose={close}
        />
      </Modal>
    </section>
  );
}

function factsOf(alert: Alert, datasource: string): readonly (readonly [string, ReactNode])[] {
  return [
    [t`Figure`, alert.figure === '' ? <Code className={classes.prompt}>{alert.dbquery}</Code> : alert.figure],
    [
      t`Datasource`,
      <Link key="link" to="/datasources/$id" params={{ id: alert.datasource_id }}>
        {datasource}
      </Link>,
    ],
    [t`Now`, alert.value === null ? t`no data` : figure(alert.value)],
    [t`Alert when`, alertConditionWords(alert.condition)],
    [t`Checked`, alert.enabled ? rhythmWords(alert.check_interval, alert.check_at) : t`paused`],
    [t`Next check (${TIME_ZONE})`, alert.next_check_at === null ? '–' : moment(alert.next_check_at)],
    [t`Emails to`, alert.notify_emails.length === 0 ? t`nobody` : alert.notify_emails.join(', ')],
    [t`Webhook`, alert.webhook ? t`notified` : t`not notified`],
  ];
}

function draftOf({
  name,
  condition,
  check_interval: minutes,
  check_at: at,
  notify_emails: emails,
  webhook,
}: Alert): AlertDraft {
  const { type, value = 0, percent = 10 } = condition;
  return { name, type, value, percent, rhythm: { minutes, at }, emails, webhook };
}

function Actions({ alert, mayChange }: { readonly alert: Alert; readonly mayChange: boolean }): ReactNode {
  const [deleting, { open, close }] = useDisclosure();
  const params = { path: { id: alert.id } };
  const stale = [alertKeys.all];
  const check = useChange({
    change: () => call(api.POST('/api/v1/secure/alerts/{id}/check', { params })),
    stale,
    problem: t`The alert could not be checked`,
  });
  const pause = useChange({
    change: () => call(api.PATCH('/api/v1/secure/alerts/{id}', { params, body: { enabled: !alert.enabled } })),
    stale,
    problem: t`The alert was not changed`,
  });
  return (
    <>
      <Button leftSection={<IconRefresh />} {...begins(check)}>
        {t`Check now`}
      </Button>
      {mayChange && (
        <>
          <Button
            variant="default"
            leftSection={alert.enabled ? <IconPlayerPause /> : <IconPlayerPlay />}
            {...begins(pause)}
          >
            {alert.enabled ? t`Pause` : t`Resume`}
          </Button>
          <Button variant="default" leftSection={<IconTrash />} onClick={open}>
            {t`Delete`}
          </Button>
          <Deletion alert={alert} opened={deleting} onClose={close} />
        </>
      )}
    </>
  );
}

function Deletion({ alert: { id, name }, ...dialog }: DialogProps & { readonly alert: Alert }): ReactNode {
  const navigate = useNavigate();
  const deletion = useChange({
    change: () => call(api.DELETE('/api/v1/secure/alerts/{id}', { params: { path: { id } } })),
    says: t`“${name}” was deleted.`,
    done: () => navigate({ to: '/alerts' }),
    stale: [alertKeys.all],
  });
  return (
    <DeleteDialog
      {...dialog}
      title={t`Delete “${name}”?`}
      consequences={[t`Its history is deleted, too.`]}
      deletion={deletion}
    />
  );
}

function History({ id }: { readonly id: string }): ReactNode {
  const query = useInfiniteQuery(historyQuery(id));
  const events = query.data?.pages.flatMap(({ history }) => history) ?? [];
  return (
    <section aria-label={t`History`}>
      <Title order={2} mb="sm">
        {t`History`}
      </Title>
      {query.error !== null && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton h={96} />}
      {query.data !== undefined && events.length === 0 && <Text c="dimmed">{t`Nothing has happened yet.`}</Text>}
      {events.length > 0 && (
        <ul className="card lines" aria-label={t`History`}>
          {events.map((event) => (
            <Entry key={event.id} event={event} />
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <Button mt="md" variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t`Earlier`}
        </Button>
      )}
    </section>
  );
}

function Entry({ event: { kind, reason, at, mails } }: { readonly event: AlertEvent }): ReactNode {
  const { label, color } = EVENT_KINDS[kind];
  return (
    <li>
      <div className={`line ${classes.line ?? ''}`}>
        <div className={classes.name}>
          <Text>{sentence(reason)}</Text>
          <MailLine mails={mails} />
        </div>
        <Text size="sm" c="dimmed" title={moment(at)} className={classes.when}>
          {ago(at)}
        </Text>
        <Badge variant="dot" color={color} className={classes.state}>
          {i18n._(label)}
        </Badge>
      </div>
    </li>
  );
}
