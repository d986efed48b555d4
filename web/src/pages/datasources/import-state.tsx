import { plural, t } from '@lingui/core/macro';
import { Badge, Group, Progress, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useProgress } from '../../shared/datasource-news.js';
import { percent as share } from '../../shared/format.js';
import type { Datasource } from '../../shared/wire.js';

/** How the rows of a datasource stand, live. */
export function ImportState({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const told = useProgress(datasource.id);
  const { status, rejected } = datasource.import;
  if (status === 'failed')
    return (
      <Badge variant="dot" color="red">
        {datasource.d_files.length === 0 ? t`Import failed` : t`The last file failed`}
      </Badge>
    );
  if (!datasource.updating && told === null) {
    return rejected > 0 ? (
      <Badge variant="dot" color="yellow">
        {t`Ready · ${plural(rejected, { one: '# line skipped', other: '# lines skipped' })}`}
      </Badge>
    ) : (
      <Badge variant="dot" color="teal">
        {t`Ready`}
      </Badge>
    );
  }
  const waiting = datasource.place?.fetching === true ? t`Fetching` : t`Waiting`;
  return <Importing name={datasource.name} percent={(told ?? datasource.import).percent} waiting={waiting} />;
}

interface ImportingProps {
  readonly name: string;
  readonly percent: number | null;
  readonly waiting: string;
}

function Importing({ name, percent, waiting }: ImportingProps): ReactNode {
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress value={percent ?? 100} animated={percent === null} w={96} aria-label={t`Import of ${name}`} />
      <Text size="sm" className="numbers">
        {percent === null ? waiting : share(Math.round(percent) / 100)}
      </Text>
    </Group>
  );
}
