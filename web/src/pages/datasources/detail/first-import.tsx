import { plural, t } from '@lingui/core/macro';
import { Alert, Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useProgress } from '../../../shared/datasource-news.js';
import { percent as share, sentence } from '../../../shared/format.js';
import type { Datasource } from '../../../shared/wire.js';
import { IconAlertTriangle } from '../../../ui/icons.js';
import { DeleteDatasource } from './delete-datasource.js';
import { FetchButton } from './place-section.js';
import { RejectedLines } from './rejected-tab.js';

/** While the first rows come, and when they never will. */
export function FirstImport({ datasource }: { readonly datasource: Datasource }): ReactNode {
  return datasource.import.status === 'failed' ? (
    <FailedImport datasource={datasource} />
  ) : (
    <RunningImport datasource={datasource} title={t`Importing rows`} />
  );
}

interface RunningImportProps {
  readonly datasource: Datasource;
  readonly title: string;
}

export function RunningImport({ datasource, title }: RunningImportProps): ReactNode {
  const { percent, rows, rejected } = useProgress(datasource.id) ?? datasource.import;
  return (
    <Stack className="card" p="lg" gap="sm">
      <Title order={2}>{title}</Title>
      <Progress value={percent ?? 100} animated={percent === null} size="lg" aria-label={t`Import`} />
      <Text c="dimmed" size="sm" className="numbers" aria-live="polite">
        {[
          percent === null ? t`Waiting to start` : share(Math.round(percent) / 100),
          ...(rows > 0 ? [plural(rows, { one: '# row', other: '# rows' })] : []),
          ...(rejected > 0 ? [plural(rejected, { one: '# line skipped', other: '# lines skipped' })] : []),
        ].join(' · ')}
      </Text>
      <Text size="sm">
        {t`You can leave this page. The import goes on, and the list of datasources shows its progress.`}
      </Text>
    </Stack>
  );
}

function FailedImport({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const { error, rejected } = datasource.import;
  return (
    <Stack gap="lg">
      <Alert
        color="red"
        variant="light"
        role="alert"
        icon={<IconAlertTriangle size={18} />}
        title={t`The import failed`}
      >
        <Stack gap="sm" align="flex-start">
          <Text size="sm">{error === null ? t`The service gave no reason.` : sentence(error)}</Text>
          <Text size="sm">
            {t`No row was stored. Correct the file, or choose other columns or another time format, and create the datasource again.`}
          </Text>
          {datasource.place !== null && (
            <Text size="sm">
              {t`Once the source works again, fetch it again. The file is read as it was described.`}
            </Text>
          )}
          <Group>
            {datasource.place !== null && <FetchButton datasource={datasource} />}
            <Button component={Link} to="/datasources/new">
              {t`Upload again`}
            </Button>
            <DeleteDatasource datasource={datasource} />
          </Group>
        </Stack>
      </Alert>
      {rejected > 0 && <RejectedLines datasource={datasource} />}
    </Stack>
  );
}
