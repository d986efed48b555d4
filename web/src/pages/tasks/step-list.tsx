import { t } from '@lingui/core/macro';
import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { api, call, client } from '../../app/client.js';
import { duration } from '../../shared/format.js';
import { Markdown } from '../assistant/markdown.js';
import type { Step } from './tasks.queries.js';
import classes from './tasks.module.css';

const AnswerChart = lazy(() => import('../assistant/answer-chart.js'));

/** What a run did, in its order. */
export function StepList({ steps }: { readonly steps: readonly Step[] }): ReactNode {
  if (steps.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t`No steps yet.`}
      </Text>
    );
  return (
    <ol className={classes.steps} aria-label={t`Steps`}>
      {steps.map((step) => (
        <li key={step.index} className={classes.step}>
          <StepPart step={step} />
        </li>
      ))}
    </ol>
  );
}

function StepPart({
  step: { title, content, type, dbquery, visualization, started_at: from, finished_at: to },
}: {
  readonly step: Step;
}): ReactNode {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  return (
    <details>
      <summary>
        <Text span fw={600} size="sm" c={type === 'error' ? 'red' : undefined}>
          {title}
        </Text>{' '}
        <Text span size="sm" c="dimmed">
          {seconds >= 1 ? duration(seconds) : ''}
        </Text>
      </summary>
      <Stack gap="xs" mt="xs">
        {content !== '' && <Markdown text={content} />}
        {dbquery !== '' && <pre tabIndex={0}>{dbquery}</pre>}
        {visualization !== '' && <RunChart filename={visualization} label={t`Chart: ${title}`} />}
      </Stack>
    </details>
  );
}

/** A chart of a run, which the page draws itself; of old ones only the picture was kept. */
export function RunChart({ filename, label }: { readonly filename: string; readonly label: string }): ReactNode {
  const { data: chart, isError } = useQuery({
    queryKey: ['chart', filename],
    queryFn: async ({ signal }) => {
      const params = { path: { filename } };
      const path = '/api/v1/secure/assistant/visualizations/{filename}/chart';
      return (await call(api.GET(path, { params, signal }))).chart;
    },
    staleTime: Infinity,
  });
  if (isError) return <ChartImage filename={filename} label={label} />;
  if (chart === undefined) return <Skeleton h={280} />;
  return (
    <Suspense fallback={<Skeleton h={280} />}>
      <AnswerChart chart={chart} label={label} />
    </Suspense>
  );
}

/** A picture that only its company may see, so that it is fetched with the token. */
function ChartImage({ filename, label }: { readonly filename: string; readonly label: string }): ReactNode {
  const { data, isError } = useQuery({
    queryKey: ['image', filename],
    queryFn: async ({ signal }) => {
      const { response } = await client.download(`/api/v1/secure/assistant/visualizations/${filename}`, {}, signal);
      return response.blob();
    },
    staleTime: Infinity,
  });
  const url = useObjectUrl(data);
  if (isError)
    return (
      <Text size="sm" c="dimmed">
        {t`The chart could not be loaded.`}
      </Text>
    );
  return url === null ? <Skeleton h={240} /> : <img src={url} alt={label} className={classes.image} />;
}

function useObjectUrl(blob: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (blob === undefined) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
    };
  }, [blob]);
  return url;
}
