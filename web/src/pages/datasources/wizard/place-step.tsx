import { plural, t } from '@lingui/core/macro';
import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { api, call } from '../../../app/client.js';
import { bytes } from '../../../shared/format.js';
import type { FetchPlace, Upload } from '../../../shared/wire.js';
import { IconFileCheck } from '../../../ui/icons.js';
import { Failure } from '../../../ui/states.js';
import { emptyPlace, PlaceFields, type PlaceSource } from '../place-fields.js';

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
  return (
    <Stack component="form" gap="sm" maw={640} onSubmit={submit}>
      <PlaceFields source={source} place={place} onChange={setPlace} />
      {fetching.error !== null && <Failure error={fetching.error} title={t`Nothing was fetched`} />}
      <Group>
        <Button type="submit" loading={fetching.isPending} loaderProps={{ children: <Loader size="xs" /> }}>
          {t`Fetch`}
        </Button>
        {fetching.isPending && (
          <>
            <Button variant="default" onClick={stop}>
              {t`Stop`}
            </Button>
            <Text size="sm" c="dimmed" role="status">
              {t`Fetching the data and reading its columns…`}
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

function Fetched({ upload, onReset }: { readonly upload: Upload; readonly onReset: () => void }): ReactNode {
  const columns = new Set(upload.columns.flat().map((name) => name.toLowerCase())).size;
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <Group gap="xs" wrap="nowrap" miw={0}>
          <IconFileCheck size={20} aria-hidden />
          <Text fw={600} truncate>
            {upload.file}
          </Text>
        </Group>
        <Text size="sm" c="dimmed" mt={4}>
          {bytes(upload.size)} · {plural(columns, { one: '# column', other: '# columns' })}
        </Text>
      </div>
      <Button variant="default" size="xs" flex="none" onClick={onReset}>
        {t`Fetch something else`}
      </Button>
    </Group>
  );
}
