import { plural, t } from '@lingui/core/macro';
import { Group, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { sentence } from '../../../shared/format.js';
import type { Datasource } from '../../../shared/wire.js';
import { DownloadButton } from '../../../ui/download-button.js';
import { IconCircleCheck } from '../../../ui/icons.js';
import { Empty } from '../../../ui/states.js';

/** Lines of the file that are no rows, and why. */
export function RejectedTab({ datasource }: { readonly datasource: Datasource }): ReactNode {
  if (datasource.import.rejected > 0) return <RejectedLines datasource={datasource} />;
  return (
    <Empty icon={IconCircleCheck} title={t`No lines were skipped`}>
      {t`Every line of the file became a row.`}
    </Empty>
  );
}

export function RejectedLines({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const { rejected, rejected_sample: sample } = datasource.import;
  const hasFiles = datasource.files.length > 1 || datasource.d_files.length > 1;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm">
          {plural(rejected, { one: '# line skipped', other: '# lines skipped' })}
          {rejected > sample.length && ` · ${t`the first ${String(sample.length)}:`}`}
        </Text>
        <DownloadButton
          path="/api/v1/secure/datasource/rejects"
          query={{ id: datasource.id }}
          label={t`Download all as CSV`}
        />
      </Group>
      <Table.ScrollContainer minWidth={hasFiles ? 420 : 300} className="card">
        <Table verticalSpacing="xs" aria-label={t`Skipped lines`}>
          <Table.Thead>
            <Table.Tr>
              {hasFiles && <Table.Th>{t`File`}</Table.Th>}
              <Table.Th w={64} ta="right">
                {t`Line`}
              </Table.Th>
              <Table.Th>{t`Reason`}</Table.Th>
              <Table.Th>{t`Text`}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sample.map(({ file, line, reason, text }, index) => (
              <Table.Tr key={`${file}:${String(line)}:${String(index)}`}>
                {hasFiles && <Table.Td>{file}</Table.Td>}
                <Table.Td ta="right" className="numbers">
                  {line ?? '—'}
                </Table.Td>
                <Table.Td>{sentence(reason)}</Table.Td>
                <Table.Td maw={420} miw={110}>
                  <Text className="mono" truncate title={text}>
                    {text}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}
