import { Group, Stack, Table, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { counted, sentence } from '../../../shared/format.js';
import type { Datasource } from '../../../shared/wire.js';
import { DownloadButton } from '../../../ui/download-button.js';
import { Empty } from '../../../ui/states.js';

/** Lines of the file that are no rows, and why. */
export function RejectedTab({ datasource }: { readonly datasource: Datasource }): ReactNode {
  if (datasource.import.rejected > 0) return <RejectedLines datasource={datasource} />;
  return (
    <Empty icon={IconCircleCheck} title="No line was skipped">
      Every line of the file became a row.
    </Empty>
  );
}

export function RejectedLines({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const { rejected, rejected_sample: sample } = datasource.import;
  const hasFiles = datasource.files.length > 1;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm">
          {counted(rejected, 'line')} skipped
          {rejected > sample.length && `; these are the first ${String(sample.length)}`}.
        </Text>
        <DownloadButton
          path="/api/v1/secure/datasource/rejects"
          query={{ id: datasource.id }}
          label="Download all as CSV"
        />
      </Group>
      <Table.ScrollContainer minWidth={hasFiles ? 420 : 300} className="card">
        <Table verticalSpacing="xs" aria-label="Skipped lines">
          <Table.Thead>
            <Table.Tr>
              {hasFiles && <Table.Th>File</Table.Th>}
              <Table.Th w={64} ta="right">
                Line
              </Table.Th>
              <Table.Th>Reason</Table.Th>
              <Table.Th>Text</Table.Th>
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
