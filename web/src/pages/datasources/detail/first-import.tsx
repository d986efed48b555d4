import { Alert, Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useProgress } from '../../../shared/datasource-news.js';
import { counted, sentence, whole } from '../../../shared/format.js';
import type { Datasource } from '../../../shared/wire.js';
import { DeleteDatasource } from './delete-datasource.js';
import { RejectedLines } from './rejected-tab.js';

/** While the first rows come, and when they never will. */
export function FirstImport({ datasource }: { readonly datasource: Datasource }): ReactNode {
  return datasource.import.status === 'failed' ? (
    <FailedImport datasource={datasource} />
  ) : (
    <Running datasource={datasource} />
  );
}

function Running({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const { percent, rows, rejected } = useProgress(datasource.id) ?? datasource.import;
  return (
    <Stack className="card" p="lg" gap="sm">
      <Title order={2}>Rows are being imported</Title>
      <Progress value={percent ?? 100} animated={percent === null} size="lg" aria-label="Import" />
      <Text c="dimmed" size="sm" className="numbers" aria-live="polite">
        {percent === null ? 'Waiting for its turn' : `${whole(Math.round(percent))} %`}
        {rows > 0 && ` · ${counted(rows, 'row')}`}
        {rejected > 0 && ` · ${counted(rejected, 'line')} skipped`}
      </Text>
      <Text size="sm">
        You can leave this page: the import goes on, and the list of datasources shows how far it is.
      </Text>
    </Stack>
  );
}

function FailedImport({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const { error, rejected } = datasource.import;
  return (
    <Stack gap="lg">
      <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle size={18} />} title="The import failed">
        <Stack gap="sm" align="flex-start">
          <Text size="sm">{sentence(error ?? 'no reason was given')}</Text>
          <Text size="sm">
            No row was stored. Mend the file, or choose other columns or another time format, and create the datasource
            again.
          </Text>
          <Group>
            <Button component={Link} to="/datasources/new">
              Upload again
            </Button>
            <DeleteDatasource datasource={datasource} />
          </Group>
        </Stack>
      </Alert>
      {rejected > 0 && <RejectedLines datasource={datasource} />}
    </Stack>
  );
}
