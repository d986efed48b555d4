import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ago, figure } from '../../shared/format.js';
import { IconBell } from '../../ui/icons.js';
import { Page } from '../../ui/page.js';
import { Pager, usePage } from '../../ui/pager.js';
import { Empty, Loaded } from '../../ui/states.js';
import { rhythmWords } from '../tasks/task-words.js';
import classes from '../tasks/tasks.module.css';
import { ALERT_STATES, alertConditionWords } from './alert-words.js';
import { ALERTS_A_PAGE, alertsQuery, type Alert } from './alerts.queries.js';

/** Figures that are watched. */
export function AlertsPage(): ReactNode {
  const [page, setPage] = usePage();
  const query = useQuery(alertsQuery(page));
  const total = query.data?.total;
  return (
    <Page
      title={t`Alerts`}
      subtitle={
        total === undefined ? '\u00a0' : plural(total, { one: '# figure is watched', other: '# figures are watched' })
      }
    >
      <Loaded query={query} skeleton={<Skeleton h={200} />}>
        {({ alerts }) => (alerts.length === 0 ? <NoneYet /> : <AlertList alerts={alerts} />)}
      </Loaded>
      <Pager page={page} total={total ?? 0} size={ALERTS_A_PAGE} onChange={setPage} />
    </Page>
  );
}

function NoneYet(): ReactNode {
  return (
    <Empty
      icon={IconBell}
      title={t`No alerts yet`}
      action={
        <Button component={Link} to="/assistant">
          {t`Ask for a figure`}
        </Button>
      }
    >
      <Trans>
        Ask for one figure, such as the average of a column, and choose “Alert me” below the answer. You are told when
        it passes a limit.
      </Trans>
    </Empty>
  );
}

function AlertList({ alerts }: { readonly alerts: readonly Alert[] }): ReactNode {
  return (
    <ul className="card lines" aria-label={t`Alerts`}>
      {alerts.map((alert) => (
        <Line key={alert.id} alert={alert} />
      ))}
    </ul>
  );
}

function Line({ alert }: { readonly alert: Alert }): ReactNode {
  const { label, color } = ALERT_STATES[alert.state];
  const checked = alert.checked_at;
  return (
    <li>
      <Link to="/alerts/$id" params={{ id: alert.id }} className={`line ${classes.line ?? ''}`}>
        <div className={classes.name}>
          <Text fw={600} truncate>
            {alert.name}
          </Text>
          <Text size="sm" c="dimmed" truncate>
            {alert.value === null ? '–' : figure(alert.value)} · {alertConditionWords(alert.condition)}
          </Text>
        </div>
        <Stack gap={0} className={classes.when}>
          <Text size="sm">{alert.enabled ? rhythmWords(alert.check_interval, alert.check_at) : t`paused`}</Text>
          <Text size="sm" c="dimmed">
            {checked === null ? t`not checked yet` : t`checked ${ago(checked)}`}
          </Text>
        </Stack>
        <Badge variant="dot" color={alert.error === null ? color : 'yellow'} className={classes.state}>
          {alert.error === null ? i18n._(label) : t`Not checked`}
        </Badge>
      </Link>
    </li>
  );
}
