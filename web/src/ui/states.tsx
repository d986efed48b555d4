import { ApiError } from '@data-analytics/client';
import { t } from '@lingui/core/macro';
import { Alert, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { problemOf } from '../shared/toast.js';
import { IconAlertTriangle, IconPlugConnectedX, type Icon } from './icons.js';
import classes from './states.module.css';

interface EmptyProps {
  readonly icon: Icon;
  readonly title: string;
  /** What to do about it. */
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

/** Nothing is here yet, and what to do about it. */
export function Empty({ icon: Icon, title, children, action }: EmptyProps): ReactNode {
  return (
    <Stack align="center" gap="xs" className={classes.empty}>
      <Icon size={36} stroke={1.2} className={classes.icon} aria-hidden />
      <Title order={2}>{title}</Title>
      <Text c="dimmed" ta="center" maw={440}>
        {children}
      </Text>
      {action !== undefined && (
        <Group mt="sm" justify="center">
          {action}
        </Group>
      )}
    </Stack>
  );
}

interface FailureProps {
  readonly error: Error;
  readonly onRetry?: () => void;
  /** What could not be done. */
  readonly title?: string;
}

/** What went wrong, and another try. */
export function Failure({ error, onRetry, title = t`This could not be loaded` }: FailureProps): ReactNode {
  const isOffline = error instanceof ApiError && error.isOffline;
  return (
    <Alert
      role="alert"
      color={isOffline ? 'yellow' : 'red'}
      variant="light"
      icon={isOffline ? <IconPlugConnectedX size={18} /> : <IconAlertTriangle size={18} />}
      title={title}
    >
      <Stack gap="sm" align="flex-start">
        {problemOf(error)}
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t`Try again`}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

const LINES = [1, 2, 3];

/** Of a list, the first lines; `h` is how high each is. */
export function ListSkeleton({ h }: { readonly h: number }): ReactNode {
  return (
    <Stack gap="sm">
      {LINES.map((line) => (
        <Skeleton key={line} h={h} />
      ))}
    </Stack>
  );
}

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>;
  /** In the shape of what comes, so that nothing jumps. */
  readonly skeleton: ReactNode;
  readonly children: (value: T) => ReactNode;
}

/** What a query has: its skeleton, its failure, or the content. Old content stays while it can't be renewed. */
export function Loaded<T>({ query, skeleton, children }: LoadedProps<T>): ReactNode {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) return <div aria-busy="true">{skeleton}</div>;
  return <Failure error={query.error} onRetry={() => void query.refetch()} />;
}
