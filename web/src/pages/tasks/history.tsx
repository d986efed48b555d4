import { t } from '@lingui/core/macro';
import { Accordion, Button, Skeleton, Stack, Switch, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { whole } from '../../shared/format.js';
import { ticked } from '../../ui/form.js';
import { Failure } from '../../ui/states.js';
import { ReportText } from './report-text.js';
import { RunCard, RunHead } from './run-card.js';
import { runsQuery, type Run } from './tasks.queries.js';
import classes from './tasks.module.css';

/** The runs, newest first; the one that is open stands in the address. */
export function History({ taskId }: { readonly taskId: string }): ReactNode {
  const query = useInfiniteQuery(runsQuery(taskId));
  const runs = query.data?.pages.flatMap(({ history }) => history) ?? [];
  const total = query.data?.pages[0]?.total ?? 0;
  return (
    <section aria-label={t`Runs`}>
      <Title order={2} mb="sm">
        {t`Runs`}
      </Title>
      {query.error !== null && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending ? <Skeleton h={200} /> : <Runs taskId={taskId} runs={runs} />}
      {query.hasNextPage && (
        <Button mt="md" variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t`Earlier runs (${whole(total - runs.length)} more)`}
        </Button>
      )}
    </section>
  );
}

function Runs({ taskId, runs }: { readonly taskId: string; readonly runs: readonly Run[] }): ReactNode {
  const { run: opened } = useSearch({ from: '/tasks/$id' });
  const navigate = useNavigate();
  if (runs.length === 0) return <Text c="dimmed">{t`This task has not run yet.`}</Text>;
  return (
    <Accordion
      variant="separated"
      value={opened ?? runs[0]?.id ?? null}
      onChange={(run) => {
        void navigate({
          to: '/tasks/$id',
          params: { id: taskId },
          search: { run: run ?? 'none' },
          replace: true,
          resetScroll: false,
        });
      }}
    >
      {runs.map((run, index) => (
        <Accordion.Item key={run.id} value={run.id}>
          <Accordion.Control>
            <RunHead run={run} />
          </Accordion.Control>
          <Accordion.Panel>
            <Compared run={run} before={runs.slice(index + 1).find(({ answer }) => answer !== '') ?? null} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

/** A run, and the one before it beside it if the reader wants that. */
function Compared({ run, before }: { readonly run: Run; readonly before: Run | null }): ReactNode {
  const [isCompared, setIsCompared] = useState(false);
  if (before === null || run.answer === '') return <RunCard run={run} />;
  return (
    <Stack gap="md">
      <Switch size="sm" label={t`Compare with the run before`} checked={isCompared} onChange={ticked(setIsCompared)} />
      {isCompared ? (
        <div className={classes.compared}>
          <Stack gap="md">
            <RunHead run={run} />
            <RunCard run={run} />
          </Stack>
          <Stack gap="md">
            <RunHead run={before} />
            <ReportText text={before.answer} />
          </Stack>
        </div>
      ) : (
        <RunCard run={run} />
      )}
    </Stack>
  );
}
