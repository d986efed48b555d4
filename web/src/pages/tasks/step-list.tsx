import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { client } from '../../app/client.js';
import { duration } from '../../shared/format.js';
import { Markdown } from '../assistant/markdown.js';
import type { Step } from './tasks.queries.js';
import classes from './tasks.module.css';

/** What a run did, in its order. */
export function StepList({ steps }: { readonly steps: readonly Step[] }): ReactNode {
  if (steps.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing was done yet.
      </Text>
    );
  return (
    <ol className={classes.steps} aria-label="Steps">
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
        {visualization !== '' && <ChartImage filename={visualization} label={`Chart: ${title}`} />}
      </Stack>
    </details>
  );
}

/** A picture that only its company may see, so that it is fetched with the token. */
export function ChartImage({ filename, label }: { readonly filename: string; readonly label: string }): ReactNode {
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
        The chart could not be fetched.
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
