import { Badge, Group, Progress, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useProgress } from '../../shared/datasource-news.js';
import { counted } from '../../shared/format.js';
import type { Datasource } from '../../shared/wire.js';

/** How the rows of a datasource stand, live. */
export function ImportState({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const told = useProgress(datasource.id);
  const { status, rejected } = datasource.import;
  if (status === 'failed')
    return (
      <Badge variant="dot" color="red">
        Import failed
      </Badge>
    );
  if (!datasource.updating && told === null) {
    return rejected > 0 ? (
      <Badge variant="dot" color="yellow">
        Ready · {counted(rejected, 'line')} skipped
      </Badge>
    ) : (
      <Badge variant="dot" color="teal">
        Ready
      </Badge>
    );
  }
  return <Importing name={datasource.name} percent={(told ?? datasource.import).percent} />;
}

function Importing({ name, percent }: { readonly name: string; readonly percent: number | null }): ReactNode {
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress value={percent ?? 100} animated={percent === null} w={96} aria-label={`Import of ${name}`} />
      <Text size="sm" className="numbers">
        {percent === null ? 'Waiting' : `${String(Math.round(percent))} %`}
      </Text>
    </Group>
  );
}
